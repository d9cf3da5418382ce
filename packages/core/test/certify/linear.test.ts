/** f that is linear on the manifold: the nearest point to −L, and the proof that it is the minimum. */

import type { Tall } from "@expen/linalg";
import { gaussian, random, randomOrthonormal } from "@expen/linalg";
import { determinantSign, jacobiSvd } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { certify, type Manifold, minimize, specialOrthogonal, stiefel } from "expen";
import { type Expr, formula, mul, norm2, scale, sub, t, trace } from "expen/tape";
import { describe, expect, test } from "vitest";

const seeds = [1, 2, 3, 4, 5, 6];
const points = (rows: number, cols: number, seed: number) => gaussian(rows, cols, random(seed));

/** Σσ_i of A, with the last negated where det < 0 counts */
function nuclear(a: Float64Array, n: number, p: number, rotations: boolean): number {
  const [u, s, v] = [new Float64Array(n * p), new Float64Array(p), new Float64Array(p * p)];
  jacobiSvd(n, p)(u, s, v, a.slice());
  const sum = s.reduce((total, value) => total + value, 0);
  return rotations && determinantSign(a.slice(), p) < 0 ? sum - 2 * s[p - 1]! : sum;
}

describe("the minimum of ⟨L, X⟩ is −Σσ_i(L)", () => {
  const manifolds: [Manifold<Tall>, boolean][] = [
    [stiefel(7, 3), false],
    [stiefel(4, 4), false],
    [specialOrthogonal(3), true],
    [specialOrthogonal(4), true],
    [specialOrthogonal(5), true],
  ];
  test.each(manifolds.flatMap(([on, rotations]) => seeds.map((seed) => ({ on, rotations, seed }))))(
    "on $on.text, seed $seed",
    async ({ on, rotations, seed }) => {
      const { n, p } = on;
      const L = points(n, p, seed);
      const { fval, certificate, run, iterations } = await minimize(
        formula((X: Expr) => trace(mul(t(X), L))),
        { on },
      );
      // −L has the other determinant where n is odd
      const minus = L.data.map((v) => -v);
      expect(fval).toBeCloseTo(-nuclear(minus, n, p, rotations), 11);
      expect(run.method).toBe("linear");
      expect(iterations).toBe(1);
      expect(certificate.level).toBe("global");
      expect((certificate as { gapBound: number }).gapBound).toBeLessThan(1e-11);
    },
  );
});

describe("quadratic terms that are constant where XᵀX = I", () => {
  const [P, Q, C] = [points(3, 9, 1), points(3, 9, 2), points(4, 2, 3)];
  test.each([
    ["‖RP − Q‖²", specialOrthogonal(3), (R: Expr) => norm2(sub(mul(R, P), Q))],
    ["‖PᵀR − Qᵀ‖²", specialOrthogonal(3), (R: Expr) => norm2(sub(mul(t(P), R), t(Q)))],
    [
      "‖XA − C‖², n > p",
      stiefel(4, 2),
      (X: Expr) =>
        norm2(
          sub(
            mul(X, [
              [1, 2],
              [3, 5],
            ]),
            C,
          ),
        ),
    ],
  ])("%s", async (_, on: Manifold<Tall>, f) => {
    const { fval, run, certificate } = await minimize(formula(f), { on });
    expect(run.method).toBe("linear");
    expect(certificate.level).toBe("global");
    const steps = await minimize(formula(f), { on, solver: "rlbfgs", tol: 1e-9 });
    expect(fval).toBeLessThanOrEqual(steps.fval + 1e-9);
  });

  test.each([
    ["‖AX − C‖², n > p", stiefel(4, 2), (X: Expr) => norm2(sub(mul(points(5, 4, 4), X), points(5, 2, 5)))],
    [
      "⟨X, BXC⟩ + ⟨L, X⟩, n = p",
      stiefel(2, 2),
      (X: Expr) =>
        sub(
          trace(
            mul(
              t(X),
              [
                [1, 0],
                [0, 2],
              ],
              X,
              [
                [3, 0],
                [0, 5],
              ],
            ),
          ),
          trace(X),
        ),
    ],
  ])("not in %s", async (_, on: Manifold<Tall>, f) => {
    const { run } = await minimize(formula(f), { on });
    expect(run.method).not.toBe("linear");
  });
});

describe("the proof is refused", () => {
  const E = jsEngine();
  const n = 4;
  /** −⟨M, X⟩ with M = U·Diag(σ)·Vᵀ, det UVᵀ = 1, and the stationary point U·Diag(signs)·Vᵀ */
  function stationary(sigma: readonly number[], signs: readonly number[], on: Manifold<Tall>) {
    const [U, V] = [1, 2].map((seed) => randomOrthonormal(n, n, random(seed)).data);
    const turned = determinantSign(U!.slice(), n) * determinantSign(V!.slice(), n) < 0;
    if (turned) for (let i = 0; i < n; i++) U![i * n]! *= -1;
    const made = (d: readonly number[]): Float64Array =>
      Float64Array.from({ length: n * n }, (_, k) => {
        const [i, j] = [Math.floor(k / n), k % n];
        return d.reduce((sum, value, l) => sum + value * U![i * n + l]! * V![j * n + l]!, 0);
      });
    const L = E.tall(
      n,
      n,
      made(sigma).map((v) => -v),
    );
    const f = {
      n,
      p: n,
      f: (X: Tall) => E.dot(L, X),
      fg(G: Tall, X: Tall) {
        E.copy(G, L);
        return E.dot(L, X);
      },
      hvp: (H: Tall) => E.fill(H, 0),
      quadratic: { apply: (Y: Tall) => E.fill(Y, 0), multiple: 0, L },
    };
    return certify(E, f, E.tall(n, n, made(signs)), { tolerance: 1e-9, on: on.bind(E).on });
  }
  const rotations = specialOrthogonal(n);

  test("at stationary points that are no minima, and given at the minimum", async () => {
    const sigma = [4, 3, 2, 1];
    expect((await stationary(sigma, [1, 1, 1, 1], stiefel(n, n))).certificate.level).toBe("global");
    expect((await stationary(sigma, [1, 1, 1, -1], stiefel(n, n))).certificate.level).not.toBe("global");
    expect((await stationary(sigma, [1, 1, 1, 1], rotations)).certificate.level).toBe("global");
    expect((await stationary(sigma, [1, 1, -1, -1], rotations)).certificate.level).not.toBe("global");
  });

  test("among rotations the least singular value changes its sign, and no other", async () => {
    const sigma = [4, 3, 2, -1];
    expect((await stationary(sigma, [1, 1, 1, 1], rotations)).certificate.level).toBe("global");
    expect((await stationary(sigma, [1, 1, 1, 1], stiefel(n, n))).certificate.level).not.toBe("global");
    expect((await stationary(sigma, [1, -1, 1, -1], rotations)).certificate.level).not.toBe("global");
    expect((await stationary([4, 3, -2, 1], [1, 1, 1, 1], rotations)).certificate.level).not.toBe("global");
  });
});

test("a scale of f, and data without a rank, change nothing", async () => {
  const L = points(3, 1, 1);
  for (const factor of [1e-6, 1e6]) {
    const f = formula((R: Expr) => scale(factor, trace(mul(R, L, t(L)))));
    const { certificate, fval } = await minimize(f, { on: specialOrthogonal(3) });
    expect(certificate.level).toBe("global");
    // −‖L‖² turns L to −L
    expect(fval / factor).toBeCloseTo(-L.data.reduce((sum, v) => sum + v * v, 0), 9);
  }
});
