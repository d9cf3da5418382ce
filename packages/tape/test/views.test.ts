/** Formulas of several matrices: f(U, V), f(Re, Im) and products of these, on engines that hide numbers or keep rows apart too. */

import type { Formula, Manifold, View } from "@expen/core";
import { complexStiefel, euclidean, objectiveOn, product, specialOrthogonal, sphere, stiefel } from "@expen/core";
import { checkDerivatives } from "@expen/core/check";
import type { Engine, Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { compileParts } from "../src/compile.js";
import { type Arg, add, type Expr, formula, inner, mul, norm2, parameter, scale, sub, t, trace } from "../src/index.js";

const engines: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];

function data(rows: number, cols: number, seed: number): Matrix {
  const { normal } = random(seed, "views");
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, normal) };
}
function symmetric(n: number, sign: 1 | -1, seed: number): Matrix {
  const A = data(n, n, seed);
  const entry = (i: number, j: number): number => A.data[i * n + j]!;
  return {
    rows: n,
    cols: n,
    data: A.data.map((_, k) => entry(Math.floor(k / n), k % n) + sign * entry(k % n, Math.floor(k / n))),
  };
}

const A = data(9, 7, 1);
const [Re, Im] = [symmetric(8, 1, 2), symmetric(8, -1, 3)];
const [B, C] = [symmetric(9, 1, 4), data(9, 3, 5)];
type Complex = { re: Expr; im: Expr };
/** Re tr ZᴴHZ for H = Re + i·Im, Hermitian */
const energy = ({ re, im }: Complex): Arg =>
  add(trace(mul(t(re), Re, re)), trace(mul(t(im), Re, im)), scale(-2, trace(mul(t(re), Im, im))));

/** A manifold, a formula of its points */
const cases: { on: Manifold<View>; f: Formula }[] = [
  {
    on: product({ U: stiefel(9, 2), V: stiefel(7, 2) }) as never,
    f: formula(({ U, V }) => sub(norm2(mul(t(U), B, U)), trace(mul(t(U), A, V)))),
  },
  { on: complexStiefel(8, 3) as never, f: formula(energy) },
  {
    // a part inside a part, a rotation in front of columns, a number, and a part that is one row
    on: product({
      Z: complexStiefel(8, 2),
      W: product({ U: stiefel(9, 3), Q: specialOrthogonal(3) }),
      s: euclidean(1),
      v: sphere(5),
    }) as never,
    f: formula(({ Z, W, s, v }: { Z: Complex; W: { U: Expr; Q: Expr }; s: Expr; v: Expr }) =>
      add(energy(Z), norm2(sub(mul(W.U, W.Q), C)), mul(s, s, s), mul(s, inner(v, data(5, 1, 6))), norm2(mul(s, v))),
    ),
  },
  {
    // the same matrix is both gradients, and that of Y is not there
    on: product({ U: stiefel(6, 2), V: stiefel(6, 2), Y: stiefel(4, 2) }) as never,
    f: formula(({ U, V }) => norm2(add(U, V))),
  },
];

describe.each(engines)("the tape on views, %s", (name, engine) => {
  test.each(cases)("value, gradient and Hessian of f on $on.text", ({ on, f: written }) => {
    const base = engine();
    const bound = on.bind(base);
    const f = objectiveOn(bound, written);
    expect(checkDerivatives(bound.E, f, { on: bound.on })).toMatchObject({ passed: true, hasHessian: true });
    // the same numbers as on plain arrays, gradient and Hessian too
    if (name === "js") return;
    const there = on.bind(jsEngine());
    const g = objectiveOn(there, written);
    const numbers = ({ E }: typeof bound, h: typeof f): number[] => {
      const X = E.tall(f.n, f.p);
      E.write(X, random(3, "X").normal);
      const [G, H, D] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p)];
      E.write(D, random(4, "D").normal);
      const value = h.fg(G, X);
      h.hvp!(H, X, D);
      return [value, h.f(X), ...E.read(G), ...E.read(H)];
    };
    const [here, plain] = [numbers(bound, f), numbers(there, g)];
    const largest = Math.max(...plain.map(Math.abs));
    for (const [i, v] of here.entries()) expect(Math.abs(v - plain[i]!)).toBeLessThan(1e-12 * largest);
  });
});

describe("formulas of several matrices", () => {
  test("are minimised as they are: the largest singular values, the lowest eigenvalues of a Hermitian matrix", async () => {
    const on = product({ U: stiefel(9, 7), V: specialOrthogonal(7) });
    const svd = await minimize(
      formula(({ U, V }) => scale(-1, trace(mul(t(U), A, V)))),
      { on },
    );
    const E = jsEngine();
    const [U, s, V] = [E.small(9, 7), new Float64Array(7), E.small(7, 7)];
    E.factor.svd(U, s, V, E.small(9, 7, A.data));
    expect(svd.reason.converged).toBe(true);
    const nuclear = -s.reduce((a, b) => a + b, 0);
    expect(svd.fval).toBeCloseTo(nuclear, 8);
    const lowest = await minimize(formula(energy), { on: complexStiefel(8, 3) });
    // [[Re, −Im], [Im, Re]] has each eigenvalue twice
    const H = E.small(16, 16);
    const entries = new Float64Array(256);
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 8; j++) {
        const [re, im] = [Re.data[8 * i + j]!, Im.data[8 * i + j]!];
        entries[16 * i + j] = re;
        entries[16 * (i + 8) + j + 8] = re;
        entries[16 * i + j + 8] = -im;
        entries[16 * (i + 8) + j] = im;
      }
    }
    E.write(H, entries);
    const w = new Float64Array(16);
    E.factor.eigh(E.small(16, 16), w, H);
    expect(lowest.fval).toBeCloseTo(w[0]! + w[2]! + w[4]!, 8);
  });

  test("parameters change, and a matrix of another shape or in two places is a sentence with the name of the part", () => {
    const E = jsEngine();
    const inputs = [
      { name: "U", rows: 4, cols: 2 },
      { name: "Z.re", rows: 3, cols: 2 },
    ];
    const f = compileParts(E, inputs, ([U, Z]) => add(mul(parameter("c", 2), norm2(U!)), norm2(Z!)));
    const [U, Z, G, H] = [E.tall(4, 2), E.tall(3, 2), E.tall(4, 2), E.tall(3, 2)];
    E.fill(U, 1);
    E.fill(Z, 1);
    expect(f.fg([G, H], [U, Z])).toBe(22);
    expect([G.data[0], H.data[0]]).toEqual([4, 2]);
    f.set("c", 3);
    expect(f.f([U, Z])).toBe(30);
    expect(() => f.f([U, G])).toThrow(/^tape: Z\.re of X is 4×2; it must be 3×2, as compiled\.$/);
    expect(() => f.fg([U, H], [U, Z])).toThrow(/^tape: U of G is also the point or direction; use a second matrix\.$/);
  });
});
