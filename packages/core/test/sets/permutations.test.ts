/** Permutation matrices: linear assignments are proved, small quadratic ones are those of an enumeration, planted isomorphisms are found. */

import type { Matrix, Random, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { expect, test } from "vitest";
import { permutations, product, sphere } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { minimize } from "../../src/minimize.js";
import { nearestPoint } from "../../src/run/nearest-point.js";
import { nonnegative } from "../../src/sets/subject.js";

/** tr(A·X·Bᵀ·Xᵀ)/2 for symmetric A and B: the sum of A_ik·B_{c(i), c(k)} over pairs */
function quadratic(A: Matrix, B: Matrix) {
  const n = A.rows;
  const times = (P: ArrayLike<number>, Q: ArrayLike<number>): Float64Array => {
    const Y = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let k = 0; k < n; k++) for (let j = 0; j < n; j++) Y[i * n + j]! += P[i * n + k]! * Q[k * n + j]!;
    return Y;
  };
  return {
    fg(G: Tall, X: Tall) {
      const Y = times(times(A.data, X.data), B.data);
      G.data.set(Y);
      return 0.5 * Y.reduce((s, y, k) => s + y * X.data[k]!, 0);
    },
  };
}
const symmetric = (n: number, draw: (r: Random) => number, seed: number): Matrix => {
  const r = random(seed, "symmetric");
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) data[i * n + k] = data[k * n + i] = draw(r);
  return { rows: n, cols: n, data };
};
function expectPermutation({ rows: n, data }: Matrix): void {
  expect([...new Set(data)].sort()).toEqual(n === 1 ? [1] : [0, 1]);
  for (let i = 0; i < n; i++) {
    let [row, column] = [0, 0];
    for (let k = 0; k < n; k++) {
      row += data[i * n + k]!;
      column += data[k * n + i]!;
    }
    expect([row, column]).toEqual([1, 1]);
  }
}
/** f of all permutations of n rows */
function enumerate(n: number, value: (labels: readonly number[]) => number): number {
  const visit = (labels: number[]): number =>
    labels.length === n
      ? value(labels)
      : Math.min(
          ...Array.from({ length: n }, (_, j) =>
            labels.includes(j) ? Number.POSITIVE_INFINITY : visit([...labels, j]),
          ),
        );
  return visit([]);
}

test.each([1, 2, 3, 4, 5])("a linear assignment is solved and proved (seed %i)", async (seed) => {
  const n = 6;
  const C = Float64Array.from({ length: n * n }, random(seed, "costs").uniform);
  const f = {
    convex: true,
    fg(G: Tall, X: Tall) {
      G.data.set(C);
      return C.reduce((s, c, k) => s + c * X.data[k]!, 0);
    },
  };
  const { X, fval, certificate, support } = await minimize(f, { on: permutations(n), seed });
  expectPermutation(X);
  expect(fval).toBeCloseTo(
    enumerate(n, (labels) => labels.reduce((s, j, i) => s + C[i * n + j]!, 0)),
    10,
  );
  expect(certificate.level).toBe("global");
  expect([...support!].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

test.each([1, 2, 3])("a quadratic assignment of six is that of the enumeration (seed %i)", async (seed) => {
  const n = 6;
  const [A, B] = [symmetric(n, (r) => r.integer(9), seed), symmetric(n, (r) => r.integer(9), seed + 10)];
  const { X, fval, certificate, status } = await minimize(quadratic(A, B), { on: permutations(n), seed });
  expectPermutation(X);
  expect(status).toBe("converged");
  const value = (c: readonly number[]): number => {
    let s = 0;
    for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) s += A.data[i * n + k]! * B.data[c[i]! * n + c[k]!]!;
    return s;
  };
  expect(fval).toBeCloseTo(enumerate(n, value), 9);
  // f is not convex: no more is claimed than that swaps were tried
  expect(certificate.level).toBe("stationary");
  expect(certificate.text).toMatch(/none of 15 of 15 swaps of two rows lowers f$/);
});

test.each([1, 2, 3])("a planted isomorphism of weighted graphs is found (seed %i)", async (seed) => {
  const n = 10;
  const A = symmetric(n, (r) => r.normal(), seed);
  const r = random(seed, "plant");
  const labels = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const k = r.integer(i + 1);
    [labels[i], labels[k]] = [labels[k]!, labels[i]!];
  }
  const B = { ...A, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) B.data[labels[i]! * n + labels[k]!] = -A.data[i * n + k]!;
  const { support } = await minimize(quadratic(A, B), { on: permutations(n), seed });
  expect([...support!]).toEqual(labels);
});

test("kicks and swaps after the starts where f is not quadratic: f is no larger than that of the best start", async () => {
  const [n, starts] = [9, 3];
  let lower = 0;
  for (const seed of [10, 20, 30, 40, 50, 60]) {
    const form = quadratic(
      symmetric(n, (r) => r.integer(20), seed),
      symmetric(n, (r) => r.integer(20), seed + 1),
    );
    // its square, in the size of the form
    const f = {
      fg(G: Tall, X: Tall) {
        const value = form.fg(G, X);
        for (const [k, g] of G.data.entries()) G.data[k] = (g * value) / 1000;
        return (0.5 * value * value) / 1000;
      },
    };
    const options = { on: permutations(n), check: false };
    const alone: number[] = [];
    for (let k = 0; k < starts; k++) alone.push((await minimize(f, { ...options, seed: seed + k, starts: 1 })).fval);
    const { X, fval, certificate } = await minimize(f, { ...options, seed, starts });
    expectPermutation(X);
    expect(fval).toBeLessThanOrEqual(Math.min(...alone));
    expect(f.fg({ ...X, data: new Float64Array(n * n) } as Tall, X as unknown as Tall)).toBe(fval);
    expect(certificate.text).toMatch(/none of 36 of 36 swaps of two rows lowers f$/);
    if (fval < Math.min(...alone)) lower++;
  }
  expect(lower).toBeGreaterThan(0);
});

test("X ≥ 0 on stiefel(n, n) is the same set, and a 1×1 matrix is 1", async () => {
  const n = 5;
  const [A, B] = [symmetric(n, (r) => r.uniform(), 1), symmetric(n, (r) => r.uniform(), 2)];
  const one = await minimize(quadratic(A, B), { on: stiefel(n, n), subjectTo: [nonnegative()] });
  const other = await minimize(quadratic(A, B), { on: permutations(n) });
  expectPermutation(one.X);
  expect(one.fval).toBe(other.fval);
  expect(one.run.on).toBe("stiefel(5, 5)");
  expect(other.run.on).toBe("permutations(5)");
  const tiny = { rows: 1, cols: 1, data: Float64Array.of(1) };
  expectPermutation((await minimize(quadratic(tiny, tiny), { on: permutations(1), check: false })).X);
});

test.each<[string, object]>([
  ["one step", { maxIterations: 1 }],
  ["a signal that has come", { signal: AbortSignal.abort() }],
  ["few evaluations", { maxEvaluations: 4 }],
  ["no swaps", { exchange: false, starts: 1 }],
])("X is a permutation whatever ended the run: %s", async (_what, options) => {
  const n = 7;
  const [A, B] = [symmetric(n, (r) => r.uniform(), 3), symmetric(n, (r) => r.uniform(), 4)];
  expectPermutation((await minimize(quadratic(A, B), { on: permutations(n), ...options })).X);
});

test("an f that is not finite has no certificate", async () => {
  const { status, certificate } = await minimize({ fg: () => Number.NaN }, { on: permutations(4) });
  expect(status).toBe("not-finite");
  expect(certificate).toMatchObject({ level: "none", text: "f is not finite at X (f = NaN)" });
});

test("a set is no manifold for others: a sentence", () => {
  const on = permutations(3);
  const sentence = /permutations\(3\), a set that only minimize takes; take the manifold around it\.$/;
  expect(() => nearestPoint(on, { rows: 3, cols: 3, data: new Float64Array(9) })).toThrow(sentence);
  expect(() => product({ P: on, x: sphere(3) })).toThrow(sentence);
});
