import { plainPoint, randomStart, type Solver } from "@expen/core";
import { stiefelGeometry as stiefel } from "@expen/core/methods";
import { brockett } from "@expen/experiments/paper";
import { nearest } from "@expen/experiments/problems";
import type { Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine, smallOf, tallAlone, tallOf } from "@expen/linalg/engine";
import { drain, solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { cayleyLift, exponentialLift } from "../src/cayley-lift.js";
import { expm } from "../src/expm.js";
import { solvers } from "../src/solvers.js";
import { trivialization } from "../src/trivialization.js";

solverContract("trivialization");
solverContract("trivialization", { variant: "exp", rebase: 20 });

const E = jsEngine();
const [n, p] = [7, 3];
const skew = (seed: number, size: number): Small => {
  const [Z, S] = [E.small(n, n), E.small(n, n)];
  fillNormal(Z, random(seed));
  E.copy(S, Z);
  E.symmetrize(S);
  E.combine(S, size, Z, -size, S);
  return S;
};
const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));

const normal = (seed: number, size: number): Tall => {
  const [Z, D] = [E.tall(n, p), E.tall(n, p)];
  fillNormal(Z, random(seed));
  E.combine(D, size, Z, 0, D);
  return D;
};

describe.each([
  ["cayley", cayleyLift, normal],
  ["exp", exponentialLift, (seed: number, size: number) => tallAlone(skew(seed, size))],
] as const)("lift: %s", (_name, lift, move) => {
  const { objective: f } = brockett(E, { n, p });
  const X0 = randomStart(E, n, p, 1);

  test("X(Ω) is feasible, X(0) = X_b, and the gradient is that of differences", () => {
    const F = lift(E, f, X0);
    const [H, Y] = [F.engine.tall(F.n, F.p), F.engine.tall(F.n, F.p)];
    F.fg(H, Y);
    expect([...F.X.data]).toEqual([...X0.data].map((v) => expect.closeTo(v, 14)));
    const Omega = move(2, 0.8);
    const D = move(3, 1);
    F.fg(H, Omega);
    const K = E.small(p, p);
    E.gram(K, F.X);
    E.addDiagonal(K, -1);
    expect(norm(K)).toBeLessThan(1e-13);
    const t = 1e-5;
    E.combine(Y, 1, Omega, t, D);
    const up = F.f(Y);
    E.combine(Y, 1, Omega, -t, D);
    expect((up - F.f(Y)) / (2 * t)).toBeCloseTo(E.dot(H, D), 8);
  });

  test("‖move‖ = length·‖X − X_b‖ for small moves", () => {
    const F = lift(E, f, X0);
    const [H, small] = [F.engine.tall(F.n, F.p), F.engine.tall(F.n, F.p)];
    F.fg(H, small);
    E.combine(small, 1e-6 / norm(H), H, 0, small);
    F.f(small);
    const moved = tallOf(E, F.X);
    E.combine(moved, -1, X0, 1, moved);
    const ratio = norm(small) / norm(moved);
    // within the span of X_b, Ω of exp is shorter
    expect(ratio).toBeLessThan(F.length * (1 + 1e-5));
    expect(ratio).toBeGreaterThan((F.length / Math.SQRT2) * (1 - 1e-5));
  });
});

test("the gradient at 0 is skew(∇f·X_bᵀ) for exp, and the Riemannian one of the Euclidean metric for the Cayley map", () => {
  const { objective: f } = brockett(E, { n, p });
  const X0 = randomStart(E, n, p, 1);
  const G = E.tall(n, p);
  f.fg(G, X0);

  const [H, M] = [E.small(n, n), E.small(n, n)];
  const [g, x] = [smallOf(E, G), smallOf(E, X0)];
  exponentialLift(E, f, X0).fg(tallAlone(H), tallAlone(E.small(n, n)));
  E.mulT(M, g, x, 0.5);
  E.mulT(M, x, g, -0.5, 1);
  E.combine(H, -1, M, 1, H);
  expect(norm(H)).toBeLessThan(1e-15);

  const R = E.tall(n, p);
  cayleyLift(E, f, X0).fg(R, E.tall(n, p));
  stiefel(E, n, p).project(G, plainPoint(X0));
  E.combine(R, -1, G, 1, R);
  expect(norm(R)).toBeLessThan(1e-15);
});

test("the Cayley lift is the Cayley map of its Ω, independent of the symmetric part of X_bᵀD", () => {
  const { objective: f } = brockett(E, { n, p });
  const Xb = randomStart(E, n, p, 1);
  const F = cayleyLift(E, f, Xb);
  const D = normal(4, 0.7);
  const [W, S, H] = [tallOf(E, D), E.small(p, p), E.tall(n, p)];
  const [P, Y, expected] = [E.small(n, n), E.small(n, p), E.small(n, p)];
  F.fg(H, D);
  // W = (I − ½X_bX_bᵀ)D, Ω = W·X_bᵀ − X_b·Wᵀ
  E.tmul(S, Xb, D);
  E.mul(W, Xb, S, -0.5, 1);
  const [w, x] = [smallOf(E, W), smallOf(E, Xb)];
  const half = (sign: number): void => {
    E.mulT(P, w, x, sign / 2);
    E.mulT(P, x, w, -sign / 2, 1);
    E.addDiagonal(P, 1);
  };
  half(1);
  E.mul(Y, P, x);
  half(-1);
  E.factor.solve(expected, P, Y);
  E.combine(expected, -1, smallOf(E, F.X), 1, expected);
  expect(norm(expected)).toBeLessThan(1e-13);

  E.tmul(S, Xb, H);
  E.symmetrize(S);
  expect(norm(S)).toBeLessThan(1e-14);
});

describe("trivialization", () => {
  test("the exponential lift is exp(Ω)·X_b", () => {
    const X0 = randomStart(E, n, p, 1);
    const F = exponentialLift(E, nearest(E, { n, p }).objective, X0);
    const [R, Y] = [E.small(n, n), E.tall(n, p)];
    const Omega = skew(5, 1.5);
    F.f(tallAlone(Omega));
    expm(E, n)(R, Omega);
    E.operator(R).apply(Y, X0);
    E.combine(Y, -1, F.X, 1, Y);
    expect(norm(Y)).toBeLessThan(1e-13);
  });

  test.each([Number.POSITIVE_INFINITY, 10, 1])(
    "static and dynamic trivialization reach the same minimum (rebase %d)",
    async (rebase) => {
      const { objective, optimum } = brockett(E, { n: 12, p: 2 });
      const r = await drain(E, objective, { solver: "trivialization", rebase, tol: 1e-5, optimum });
      expect(r.status).toBe("converged");
      expect(r.gap).toBeLessThan(1e-9);
    },
  );

  test("an error where n is too large for exponentials", () => {
    const f = { n: 501, p: 1, f: () => 0, fg: () => 0 };
    expect(() => trivialization(E, f, E.tall(501, 1), { variant: "exp" }).next()).toThrow(
      /n is 501; with the exponential it must be 500 or less, use the variant cayley/,
    );
  });
});

test("the defaults that its entry states are those of the method", async () => {
  const { objective: f } = brockett(E, { n: 12, p: 3 });
  const X0 = randomStart(E, 12, 3, 1);
  const values = (solver: Solver): number[] =>
    Array.from({ length: 25 }, () => solver.next()).flatMap(({ done, value }) => (done ? [] : value.f));
  const own = values(trivialization(E, f, X0));
  expect(own.length).toBeGreaterThan(10);
  expect(values(await solvers.trivialization.create(E, f, X0, {}))).toEqual(own);
});
