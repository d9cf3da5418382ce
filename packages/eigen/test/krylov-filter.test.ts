/** Lower ends of a spectrum that are close beside ‖B‖, by products alone: Chebyshev polynomials of B */
import type { Engine, Sparse } from "@expen/linalg";
import { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { split } from "@expen/testing/engines/split";
import { half, measuredAt, objectiveOf, run } from "@expen/testing/solvers/krylov";
import { describe, expect, test } from "vitest";
import { chebyshevFilter, filterBounds } from "../src/krylov/chebyshev-filter.js";

/** 4·sin²(kπ/(2n + 2)) */
const path = (n: number, count: number): number[] =>
  Array.from({ length: count }, (_, k) => 4 * Math.sin(((k + 1) * Math.PI) / (2 * n + 2)) ** 2);

/** Laplacians of `copies` paths of n points */
function pathMatrix(n: number, copies = 1): Sparse {
  const size = n * copies;
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  for (let k = 0; k < size; k++) {
    const [before, after] = [k % n > 0 ? -1 : 0, k % n < n - 1 ? -1 : 0];
    i.push(k, k, k);
    j.push(k, Math.max(0, k - 1), Math.min(size - 1, k + 1));
    v.push(2, before, after);
  }
  return sparseFromTriplets(size, size, i, j, v);
}

describe.each([
  ["js", jsEngine],
  ["rows on two processes", () => split(jsEngine())],
] as [string, () => Engine][])("%s", (_name, open) => {
  test("the lowest of a path whose condition number is a million: few columns are orthogonalized", () => {
    const [base, n, p, tolerance] = [open(), 1500, 5, 1e-9];
    let sums = 0;
    const E: Engine = {
      ...base,
      gram(S, A, b) {
        sums++;
        base.gram(S, A, b);
      },
    };
    const f = objectiveOf(E, p, pathMatrix(n));
    const { X, f: value, notes } = run(E, f, tolerance);
    expect(notes!.degree).toBeGreaterThan(10);
    // restarts alone take 5400 blocks, each with one of these sums or more
    expect(sums).toBeLessThan(1200);
    const exact = half(path(n, p));
    expect(Math.abs(value - exact)).toBeLessThanOrEqual(1e-9 * exact);
    const { residual, feasibility } = measuredAt(E, f, X);
    expect(residual).toBeLessThanOrEqual(1.01 * tolerance);
    expect(feasibility).toBeLessThanOrEqual(1e-12);
  });
});

test("eigenvalues that stand three times, one more than a block has columns: none is missed", () => {
  const [E, side, copies, p] = [jsEngine(), 700, 3, 7];
  const f = objectiveOf(E, p, pathMatrix(side, copies));
  const { f: value, notes } = run(E, f, 1e-8);
  const each = path(side, 3);
  const exact = half([0, 0, 0, 1, 1, 1, 2].map((k) => each[k]!));
  expect(notes!.degree).toBeGreaterThan(0);
  expect(Math.abs(value - exact)).toBeLessThanOrEqual(1e-8 * exact);
});

test("the polynomial: its values at eigenvectors, at most 1 in the suppressed part, and the way back to eigenvalues of B", () => {
  const [E, n, degree] = [jsEngine(), 30, 7];
  const { apply, flops } = E.operator(constantTridiagonal(n, -1, 2, -1));
  const lambda = path(n, n);
  const [a, c] = [lambda[4]!, 4];
  const filter = chebyshevFilter(E, n, { apply, flops }, { a, c, degree });
  const vectors = Float64Array.from({ length: n * n }, (_, at) =>
    Math.sin((Math.floor(at / n) + 1) * ((at % n) + 1) * (Math.PI / (n + 1))),
  );
  const [V, Y] = [E.tall(n, n, vectors), E.tall(n, n)];
  filter.apply(Y, V);
  const images = E.read(Y);
  const own = lambda.map((_, j) => images[j]! / vectors[j]!);
  own.forEach((nu, j) => {
    for (let i = 0; i < n; i++) expect(images[i * n + j]).toBeCloseTo(nu * vectors[i * n + j]!, 10);
    if (j < 4) expect(nu).toBeCloseTo(filter.own(lambda[j]!), 10);
    else expect(Math.abs(nu)).toBeLessThanOrEqual(1 + 1e-12);
  });
  expect(own.slice(0, 4)).toEqual(own.slice(0, 4).toSorted((x, y) => x - y));
  const theta = Float64Array.from(own.toSorted((x, y) => x - y));
  const pairs = filter.pairsOfB({
    theta,
    residual: theta.map(() => 1e-3),
    s: new Float64Array(0),
    r: new Float64Array(0),
  });
  lambda.slice(0, 4).forEach((value, j) => void expect(pairs.theta[j]).toBeCloseTo(value, 10));
  expect(Array.from(pairs.theta)).toEqual(Array.from(pairs.theta).toSorted((x, y) => x - y));
  expect(pairs.residual.every((r) => r > 0 && r <= c - a)).toBe(true);
});

test("an eigenvalue above the estimated end of the spectrum goes to the other end, not among the lowest", () => {
  const [E, n] = [jsEngine(), 20];
  const { apply, flops } = E.operator(constantTridiagonal(n, -1, 2, -1));
  const { degree } = filterBounds(
    {
      theta: Float64Array.of(0.02, 0.1, 3),
      residual: new Float64Array(3),
      s: new Float64Array(9),
      r: Float64Array.of(0),
    },
    1,
  )!;
  const highest = Float64Array.from({ length: n }, (_, i) => Math.sin(((i + 1) * n * Math.PI) / (n + 1)));
  const [V, Y] = [E.tall(n, 1, highest), E.tall(n, 1)];
  chebyshevFilter(E, n, { apply, flops }, { a: 0.1, c: 3, degree }).apply(Y, V);
  expect(E.dot(V, Y) / E.dot(V, V)).toBeGreaterThan(1);
});

test("the degree makes the lowest value a hundred times as large as the suppressed ones; without a lower end there is none", () => {
  const pairs = {
    theta: Float64Array.of(0, 1e-4, 1e-3, 2),
    residual: new Float64Array(4),
    s: new Float64Array(16),
    r: Float64Array.of(1),
  };
  const { a, c, degree } = filterBounds(pairs, 2)!;
  expect([a, c, degree % 2]).toEqual([1e-3, 3, 1]);
  const gain = (m: number) => Math.cosh(m * Math.acosh((c + a) / (c - a)));
  expect(gain(degree)).toBeGreaterThanOrEqual(100 * (1 - 1e-12));
  expect(gain(degree - 2)).toBeLessThan(100);
  expect(filterBounds({ ...pairs, theta: Float64Array.of(1, 1, 1, 1) }, 2)).toBeUndefined();
});
