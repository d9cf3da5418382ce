import type { State } from "@expen/core";
import { dissolver, normalStep, plainPoint, randomStart } from "@expen/core";
import { noeig } from "@expen/experiments/paper";
import { sparsePca } from "@expen/experiments/problems";
import type { Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { polar, svd } from "@expen/linalg/dense";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { drain, solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { proximal, sparsityPattern } from "../src/proximal.js";
import { slpg } from "../src/slpg.js";
import { slpgNonsmooth } from "../src/slpg-nonsmooth.js";
import { nonsmoothStationarity } from "../src/tangent-prox.js";

solverContract("slpg");

const E = jsEngine();
const normal = (rows: number, cols: number, seed: number): Tall => {
  const Z = E.tall(rows, cols);
  fillNormal(Z, random(seed));
  return Z;
};
const gramMinusI = (X: Tall): Small => {
  const K = E.small(X.cols, X.cols);
  E.gram(K, X);
  E.addDiagonal(K, -1);
  return K;
};
const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));

describe("the normal step", () => {
  const [n, p] = [11, 4];
  const step = normalStep(E, p, dissolver(E, p));
  const Y = E.tall(n, p);

  test("near the manifold: K(Y) = (¼K − ¾I)K²", () => {
    const X = randomStart(E, n, p, 1);
    E.combine(X, 0.02, normal(n, p, 2), 1, X);
    const K = gramMinusI(X);
    expect(step(Y, plainPoint(X))).toBeCloseTo(norm(K), 14);
    const [T, KK, expected] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    E.combine(T, 0.25, K, 0, T);
    E.addDiagonal(T, -0.75);
    E.mul(KK, K, K);
    E.mul(expected, T, KK);
    E.combine(expected, -1, gramMinusI(Y), 1, expected);
    expect(norm(expected)).toBeLessThan(1e-14);
  });

  test("far from it: singular values σ become 2σ/(1 + σ²)", () => {
    const X = normal(n, p, 3);
    step(Y, plainPoint(X));
    const [before, after] = [svd(E, X).s, svd(E, Y).s];
    const expected = [...before].map((s) => (2 * s) / (1 + s * s)).sort((a, b) => b - a);
    expected.forEach((s, i) => {
      expect(after[i]).toBeCloseTo(s, 12);
    });
  });
});

describe.each(["l1", "l21"] as const)("%s", (kind) => {
  test("the proximal map minimises its model", () => {
    const [n, p, eta] = [6, 3, 0.7];
    const { value, prox } = proximal(E, n, { kind, weight: 2 });
    const [Z, T] = [normal(n, p, 1), E.tall(n, p)];
    prox(T, Z, eta);
    const model = (A: Tall): number => {
      const D = E.tall(n, p);
      E.combine(D, 1, A, -1, Z);
      return value(A) + E.dot(D, D) / (2 * eta);
    };
    const least = model(T);
    for (let seed = 2; seed < 60; seed++) {
      const A = normal(n, p, seed);
      E.combine(A, 1, T, 10 ** -(seed % 6), A);
      expect(model(A)).toBeGreaterThanOrEqual(least - 1e-14);
    }
    expect(T.data.some((v) => v === 0)).toBe(true);
  });

  test.each([
    [60, 4, 0.4],
    [40, 1, 0.3],
    [100, 5, 0.6],
  ])("sparse principal components, n = %i, p = %i, weight %f", (n, p, weight) => {
    const problem = sparsePca(E, { n, p, kind, weight, seed: 2 });
    const [f, nonsmooth] = [problem.objective, problem.nonsmooth!];
    const X0 = randomStart(E, n, p, 1);
    expect(nonsmoothStationarity(E, f, X0, nonsmooth)).toBeGreaterThan(0.05);
    let last: State | undefined;
    const steps = slpgNonsmooth(E, f, X0, nonsmooth);
    const start = steps.next().value as State;
    const F0 = start.f;
    const { matrices } = E.counters;
    for (const state of steps) {
      last = state;
      if (state.gnorm <= 1e-6 || state.k >= 3000) break;
    }
    expect(E.counters.matrices).toBe(matrices);
    const { X, gnorm, f: F } = last!;
    expect(gnorm).toBeLessThanOrEqual(1e-6);
    expect(F).toBeLessThan(F0);
    expect(norm(gramMinusI(X))).toBeLessThan(1e-10);
    // the norm in the states is an upper bound
    const stationarity = nonsmoothStationarity(E, f, X, nonsmooth);
    expect(stationarity).toBeLessThanOrEqual(1.1 * gnorm);
    // the projection changes zeros by less than the threshold, so the pattern is the same
    const P = E.tall(n, p);
    polar(E, n, p)(P, X);
    const { zeros, zeroRows, pattern } = sparsityPattern(X);
    expect(zeros).toBe(last!.notes!.zeros);
    expect(sparsityPattern(P).pattern).toEqual(pattern);
    expect(nonsmoothStationarity(E, f, P, nonsmooth)).toBeLessThanOrEqual(1e-5);
    if (weight >= 0.4) expect(kind === "l1" ? zeros : zeroRows).toBeGreaterThan(0);
    if (kind === "l21") expect(zeros).toBe(zeroRows * p);
  });
});

describe("through the driver", () => {
  test("status, certificate and pattern refer to f + r, and other solvers are refused", async () => {
    const { objective, nonsmooth } = sparsePca(E, { n: 50, p: 3, weight: 0.4 });
    const r = await drain(E, objective, { solver: "slpg", nonsmooth: nonsmooth!, tol: 1e-6 });
    expect([r.status, r.certificate.level]).toEqual(["converged", "stationary"]);
    expect(r.certificate.text).toMatch(/proximal step/);
    expect(r.stationarity).toBeLessThanOrEqual(1e-6);
    expect(r.fval).toBeGreaterThan(objective.f(tallOf(E, r.X)));
    expect(r.sparsity!.zeros).toBeGreaterThan(50);
    expect(r.sparsity!.pattern).toEqual(sparsityPattern(r.X).pattern);
    await expect(drain(E, objective, { solver: "rcg", nonsmooth: nonsmooth! })).rejects.toThrow(
      /only slpg knows proximal maps/,
    );
  });
});

test.each([0, 4])("a nonsmooth run ends with a reason when f is NaN after %i evaluations", (limit) => {
  const { objective: f, nonsmooth } = sparsePca(E, { n: 30, p: 3 });
  let count = 0;
  const fg = (G: Tall, X: Tall): number => (count++ < limit ? f.fg(G, X) : Number.NaN);
  const steps = slpgNonsmooth(E, { ...f, fg }, randomStart(E, 30, 3, 1), nonsmooth!);
  let last = steps.next().value as State;
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done) {
      expect(next.value.kind).toBe("not-finite");
      break;
    }
    last = next.value;
    expect(Number.isFinite(last.f)).toBe(true);
  }
  expect(last.X.data.every(Number.isFinite)).toBe(true);
  expect(last.k).toBe(Math.max(0, limit - 1));
});

describe("nonsmooth stationarity", () => {
  test("with weight 0 it is the norm of the Riemannian gradient", () => {
    const { objective: f } = sparsePca(E, { n: 20, p: 3 });
    const X = randomStart(E, 20, 3, 1);
    const [G, S] = [E.tall(20, 3), E.small(3, 3)];
    f.fg(G, X);
    E.tmul(S, X, G);
    E.symmetrize(S);
    E.mul(G, X, S, -1, 1);
    expect(nonsmoothStationarity(E, f, X, { kind: "l1", weight: 0 })).toBeCloseTo(norm(G), 10);
  });

  test("the pattern counts entries and rows", () => {
    const X = { rows: 3, cols: 2, data: Float64Array.of(0, 1e-12, 0.5, 0, -0.1, 0.2) };
    expect(sparsityPattern(X)).toEqual({ zeros: 3, zeroRows: 1, pattern: Uint8Array.of(0, 0, 1, 0, 1, 1) });
  });
});

test("for any step length ‖K‖ < 0.1 before the last normal step, so ‖K‖ < 0.8·0.1² after it", () => {
  const [n, p] = [200, 8];
  let longest = 0;
  for (const { k, X, step } of slpg(E, noeig(E, { n, p }).objective, randomStart(E, n, p, 1))) {
    longest = Math.max(longest, step);
    expect(norm(gramMinusI(X))).toBeLessThan(0.8 * 0.1 ** 2);
    if (k === 40) break;
  }
  expect(longest).toBeGreaterThan(0.5);
});
