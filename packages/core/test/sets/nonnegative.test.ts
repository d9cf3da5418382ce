/** X ≥ 0 with XᵀX = I: planted answers, exact feasibility whatever the run did, invariances, proofs that are never false. */

import type { Matrix, Random, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { grassmann } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { minimize } from "../../src/minimize.js";
import { assignRows } from "../../src/sets/nonnegative/assignment.js";
import { exchange, type Vertex } from "../../src/sets/nonnegative/exchange.js";
import { labelsOf, labelsOfExact, onLabels } from "../../src/sets/nonnegative/labels.js";
import { globalProof } from "../../src/sets/nonnegative/proof.js";
import { nonnegative } from "../../src/sets/subject.js";

const subjectTo = [nonnegative()];

/** −⟨C, X⟩ */
const linear = (C: Float64Array, s = 1) => ({
  convex: true,
  fg(G: Tall, X: Tall) {
    let value = 0;
    for (const [i, c] of C.entries()) {
      G.data[i] = -s * c;
      value -= s * c * X.data[i]!;
    }
    return value;
  },
});

/** C = X·L for a planted X, with |L_kj| ≤ ξ√(d_k d_j): X is the projection of C, by the theorem that proves it */
function planted(n: number, p: number, seed: number, xi = 0.9) {
  const r = random(seed, "planted");
  const labels = Int32Array.from({ length: n }, (_, i) => (i < p ? i : r.integer(p)));
  const X = onLabels(
    Float64Array.from({ length: n * p }, () => 1 + r.uniform()),
    labels,
    { n, p },
  );
  const d = Float64Array.from({ length: p }, () => 0.5 + 3 * r.uniform());
  const L = Float64Array.from({ length: p * p }, (_, k) => {
    const [i, j] = [Math.floor(k / p), k % p];
    return i === j ? d[i]! : xi * r.uniform() * Math.sqrt(d[i]! * d[j]!);
  });
  const C = X.map((_, k) => {
    let s = 0;
    for (let j = 0; j < p; j++) s += X[Math.floor(k / p) * p + j]! * L[j * p + (k % p)]!;
    return s;
  });
  return { X, C, labels };
}

/** X ≥ 0 and XᵀX = I to 1e-14 */
function expectExact(X: Matrix): void {
  const { rows: n, cols: p, data } = X;
  expect(Math.min(...data)).toBeGreaterThanOrEqual(0);
  for (let a = 0; a < p; a++) {
    for (let b = 0; b <= a; b++) {
      let s = 0;
      for (let i = 0; i < n; i++) s += data[i * p + a]! * data[i * p + b]!;
      expect(Math.abs(s - (a === b ? 1 : 0))).toBeLessThan(a === b ? 1e-14 : 1e-300);
    }
  }
}
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (x, i) => x - b[i]!));

test.each([1, 2, 3, 4, 5, 6])("a planted projection is found and proved (seed %i)", async (seed) => {
  const { C, X, labels } = planted(30, 4, seed);
  const result = await minimize(linear(C), { on: stiefel(30, 4), subjectTo, seed });
  expectExact(result.X);
  expect(result.status).toBe("converged");
  expect([...result.support!]).toEqual([...labels]);
  expect(distance(result.X.data, X)).toBeLessThan(1e-7);
  expect(result.certificate.level).toBe("global");
  expect(result.violation).toBe(0);
  // no exchange is tried once the answer is proved
  expect(result.evaluations.f).toBeLessThan(120);
});

/** Symmetric positive semidefinite K with p groups of rows; f = −½⟨X, KX⟩ */
function groups(n: number, p: number, seed: number, noise: number) {
  const r = random(seed, "groups");
  const labels = Int32Array.from({ length: n }, (_, i) => (i < p ? i : r.integer(p)));
  const m = 3 * p;
  const centres = Float64Array.from({ length: p * m }, r.uniform);
  const A = Float64Array.from(
    { length: n * m },
    (_, k) => centres[labels[Math.floor(k / m)]! * m + (k % m)]! + noise * Math.abs(r.normal()),
  );
  const f = {
    fg(G: Tall, X: Tall) {
      const T = new Float64Array(m * p);
      for (let i = 0; i < n; i++)
        for (let k = 0; k < m; k++) for (let j = 0; j < p; j++) T[k * p + j]! += A[i * m + k]! * X.data[i * p + j]!;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < p; j++) {
          let s = 0;
          for (let k = 0; k < m; k++) s += A[i * m + k]! * T[k * p + j]!;
          G.data[i * p + j] = -s;
        }
      return -0.5 * T.reduce((s, t) => s + t * t, 0);
    },
  };
  return { f, labels };
}
/** The same rows together, whatever the columns are called */
const partition = (labels: ArrayLike<number>): string => {
  const names = [...new Set(Array.from(labels))];
  return Array.from(labels, (j) => names.indexOf(j)).join();
};

test.each([1, 2, 3])(
  "orthogonal factorization finds the groups of rows, on stiefel and grassmann (seed %i)",
  async (seed) => {
    const { f, labels } = groups(40, 4, seed, 0.05);
    for (const on of [stiefel(40, 4), grassmann(40, 4)]) {
      const { X, support, certificate } = await minimize(f, { on, subjectTo, seed });
      expectExact(X);
      expect(partition(support!)).toBe(partition(labels));
      expect(certificate.level).toBe("second-order");
    }
  },
);

describe("X is nonnegative and orthonormal whatever the run did", () => {
  const { f } = groups(24, 3, 7, 0.3);
  const on = stiefel(24, 3);
  test.each<[string, object, string]>([
    ["one step", { maxIterations: 1 }, "iterations"],
    ["a few evaluations", { maxEvaluations: 5 }, "evaluations"],
    ["a signal that has come", { signal: AbortSignal.abort() }, "aborted"],
    ["no exchange", { exchange: false }, "converged"],
    ["three starts", { starts: 3 }, "converged"],
  ])("%s", async (_what, options, status) => {
    const result = await minimize(f, { on, subjectTo, ...options });
    expectExact(result.X);
    expect(result.status).toBe(status);
    expect(result.feasibility).toBeLessThan(1e-14);
  });

  test("more starts find no larger f", async () => {
    const [one, many] = [await minimize(f, { on, subjectTo }), await minimize(f, { on, subjectTo, starts: 4 })];
    expect(many.fval).toBeLessThanOrEqual(one.fval + 1e-12);
    expect(many.evaluations.f).toBeGreaterThan(one.evaluations.f);
  });
});

test("one column: the positive part of −∇f for a linear f", async () => {
  const r = random(3);
  const C = Float64Array.from({ length: 15 }, r.normal);
  const { X, support, certificate } = await minimize(linear(C), { on: stiefel(15, 1), subjectTo });
  expectExact(X);
  const size = Math.hypot(...C.map((c) => Math.max(c, 0)));
  expect(
    distance(
      X.data,
      C.map((c) => Math.max(c, 0) / size),
    ),
  ).toBeLessThan(1e-6);
  expect([...support!]).toEqual(Array.from(C, (c) => (c > 0 ? 0 : -1)));
  expect(certificate.level).toBe("global");
});

test("rows that no column wants are zero, and the certificate names them", async () => {
  const { C, X } = planted(20, 3, 5);
  for (let k = 0; k < 3; k++) C[k + 57] = -1 - k;
  const { labels } = planted(20, 3, 5);
  const result = await minimize(linear(C), { on: stiefel(20, 3), subjectTo });
  expect(result.support![19]).toBe(-1);
  expect(result.notes.join()).toContain("rows of X that are zero: 1");
  expect(result.certificate.level).toBe("global");
  expect(X).toHaveLength(3 * labels.length);
});

test("s·f has the same answer; rows and columns may be permuted", async () => {
  const [n, p] = [24, 3];
  const { C } = planted(n, p, 8);
  const start = { rows: n, cols: p, data: Float64Array.from({ length: n * p }, random(9).normal) };
  const one = await minimize(linear(C), { on: stiefel(n, p), subjectTo, start });
  for (const s of [2 ** 12, 2 ** -40]) {
    const scaled = await minimize(linear(C, s), { on: stiefel(n, p), subjectTo, start });
    expect(distance(scaled.X.data, one.X.data)).toBeLessThan(1e-7);
    expect(scaled.certificate.level).toBe("global");
  }
  const turn = (A: Float64Array): Float64Array =>
    A.map((_, k) => A[((Math.floor(k / p) + 7) % n) * p + ((k + 1) % p)]!);
  const turned = await minimize(linear(turn(C)), {
    on: stiefel(n, p),
    subjectTo,
    start: { ...start, data: turn(start.data) },
  });
  expect(distance(turned.X.data, turn(Float64Array.from(one.X.data)))).toBeLessThan(1e-7);
});

test("a start where f is stationary is left", async () => {
  const { C, X } = planted(18, 3, 4);
  const { status, certificate } = await minimize(linear(C), {
    on: stiefel(18, 3),
    subjectTo,
    start: { rows: 18, cols: 3, data: X },
  });
  expect([status, certificate.level]).toEqual(["converged", "global"]);
});

describe("labels", () => {
  test("a column that rounding would empty takes the rows of an assignment", () => {
    const size = { n: 4, p: 2 };
    const X = Float64Array.of(0.5, 0.4, 0.5, 0.1, 0.5, 0.1, 0.5, 0.1);
    const labels = labelsOf(X, size);
    expect([...labels]).toEqual([1, 0, 0, 0]);
    const Y = onLabels(X, labels, size);
    expectExact({ rows: 4, cols: 2, data: Y });
    expect([...labelsOfExact(Y, size)]).toEqual([...labels]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("the assignment is the best of all (seed %i)", (seed) => {
    const r = random(seed);
    const [n, p] = [6, 4];
    const A = Float64Array.from({ length: n * p }, r.normal);
    const sumOf = (rows: readonly number[]): number => rows.reduce((s, i, j) => s + A[i * p + j]!, 0);
    const all = (rows: number[]): number =>
      rows.length === p
        ? sumOf(rows)
        : Math.max(
            ...Array.from({ length: n }, (_, i) => (rows.includes(i) ? Number.NEGATIVE_INFINITY : all([...rows, i]))),
          );
    const rows = [...assignRows(A, n, p)];
    expect(new Set(rows).size).toBe(p);
    expect(sumOf(rows)).toBeCloseTo(all([]), 12);
  });
});

test.each([1, 2, 3, 4])("an exchange undoes one row in a wrong column, by the model's first move (seed %i)", (seed) => {
  const size = { n: 20, p: 3 };
  const { X, C, labels } = planted(20, 3, seed, 0.5);
  const evaluate = (Y: Float64Array): Vertex => ({
    X: Y,
    G: C.map((c) => -c),
    f: -C.reduce((s, c, k) => s + c * Y[k]!, 0),
  });
  const moved = labels.slice();
  const row = 10 + seed;
  moved[row] = (labels[row]! + 1) % 3;
  // the best columns with these labels
  const start = evaluate(onLabels(C, moved, size));
  const end = exchange(start, size, evaluate, 5);
  expect([...labelsOfExact(end.at.X, size)]).toEqual([...labels]);
  expect(distance(end.at.X, X)).toBeLessThan(1);
  expect(end.at.f).toBeLessThan(start.f);
});

/** min −⟨C, Z⟩ over all feasible Z: for each labelling the columns are the positive parts of C there */
function bruteForce(C: Float64Array, n: number, p: number): number {
  let best = Number.POSITIVE_INFINITY;
  const labels = new Int32Array(n);
  const visit = (i: number): void => {
    if (i < n) {
      for (labels[i] = -1; labels[i]! < p; labels[i]!++) visit(i + 1);
      return;
    }
    let value = 0;
    for (let j = 0; j < p; j++) {
      let [squares, largest] = [0, Number.NEGATIVE_INFINITY];
      for (let r = 0; r < n; r++) {
        if (labels[r] !== j) continue;
        const c = C[r * p + j]!;
        squares += Math.max(c, 0) ** 2;
        largest = Math.max(largest, c);
      }
      if (largest === Number.NEGATIVE_INFINITY) return;
      // without a positive entry the best unit vector is that of the largest one
      value -= largest > 0 ? Math.sqrt(squares) : largest;
    }
    best = Math.min(best, value);
  };
  visit(0);
  return best;
}

test("the bound of the proof holds in 1000 traps: wrong labels, points that are not stationary, every sign", () => {
  const [n, p] = [5, 2];
  const size = { n, p };
  const draw = (r: Random, X: Float64Array): Float64Array =>
    // some are near a matrix that has X as its projection, so that a proof nearly holds
    r.uniform() < 0.5 ? Float64Array.from({ length: n * p }, r.normal) : X.map((x) => x + 0.3 * r.normal());
  let proofs = 0;
  for (let trap = 0; trap < 1000; trap++) {
    const r = random(trap, "traps");
    const labels = Int32Array.from({ length: n }, (_, i) => (i < p ? i : r.integer(p + 1) - 1));
    const X = onLabels(Float64Array.from({ length: n * p }, r.uniform), labels, size);
    const C = draw(r, X);
    const at = r.uniform() < 0.5 ? X : onLabels(C, labels, size);
    const f = -C.reduce((s, c, k) => s + c * at[k]!, 0);
    const gap = f - bruteForce(C, n, p);
    const { gapBound } = globalProof(
      at,
      C.map((c) => -c),
      size,
      1e-15,
    );
    expect(gapBound).toBeGreaterThanOrEqual(gap);
    if (gapBound < 1e-12) proofs++;
  }
  // and some are no traps
  expect(proofs).toBeGreaterThan(20);
});

test("points of the algebra of another engine: the same answer on a second engine", async () => {
  const { C } = planted(16, 2, 3);
  const f = (E: ReturnType<typeof jsEngine>) => {
    const A = E.tall(16, 2, C);
    return {
      convex: true,
      fg(G: Tall, X: Tall) {
        E.combine(G, -1, A, 0, A);
        return -E.dot(A, X);
      },
    };
  };
  const { opaque } = await import("@expen/testing/engines/opaque");
  const engine = opaque(jsEngine());
  const [one, other] = [
    await minimize(f as never, { on: stiefel(16, 2), subjectTo }),
    await minimize(f as never, { on: stiefel(16, 2), subjectTo, engine }),
  ];
  expectExact(other.X);
  expect(distance(one.X.data, other.X.data)).toBeLessThan(1e-7);
});
