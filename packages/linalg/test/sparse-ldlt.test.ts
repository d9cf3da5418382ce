/** P(A − σI)Pᵀ = LDLᵀ of sparse symmetric matrices: patterns, numbers, solves and counts of eigenvalues. */
import { describe, expect, test } from "vitest";
import { type Sparse, sparseApply, sparseFromTriplets, sparseToDense } from "../src/arrays/sparse.js";
import { jsEngine } from "../src/engine/js.js";
import { denseSymbolic } from "../src/ldlt/dense-symbolic.js";
import { nestedDissection } from "../src/ldlt/dissection.js";
import { type Factors, factorize } from "../src/ldlt/factor.js";
import { growthOf } from "../src/ldlt/growth.js";
import { rootOf } from "../src/ldlt/root.js";
import { solver } from "../src/ldlt/solve.js";
import { analyse, graphOf } from "../src/ldlt/symbolic.js";
import { separatorWidth } from "../src/ldlt/width.js";
import { random } from "../src/random.js";

const E = jsEngine();
const U = 2 ** -53;

/** Σ of v at (i, j) and (j, i) */
function symmetric(n: number, entries: readonly [number, number, number][]): Sparse {
  const off = entries.filter(([i, j]) => i !== j).map(([i, j, v]) => [j, i, v] as const);
  const all = [...entries, ...off];
  return sparseFromTriplets(
    n,
    n,
    all.map(([i]) => i),
    all.map(([, j]) => j),
    all.map(([, , v]) => v),
  );
}

function scattered(n: number, perRow: number, seed: number): Sparse {
  const { normal, uniform } = random(seed, "pattern");
  const entries: [number, number, number][] = [];
  for (let i = 0; i < n; i++) {
    entries.push([i, i, normal()]);
    for (let k = 0; k < perRow; k++) entries.push([i, Math.floor(uniform() * n), normal()]);
  }
  return symmetric(n, entries);
}

function grid(k: number): Sparse {
  const entries: [number, number, number][] = [];
  for (let i = 0; i < k * k; i++) {
    entries.push([i, i, 4]);
    if (i % k < k - 1) entries.push([i, i + 1, -1]);
    if (i + k < k * k) entries.push([i, i + k, -1]);
  }
  return symmetric(k * k, entries);
}

/** A hub, isolated vertices, and a clique with more columns than a block has */
const star = symmetric(
  40,
  Array.from({ length: 30 }, (_, i) => [0, i, i === 0 ? 50 : 1] as [number, number, number]),
);
const clique = scattered(230, 200, 5);

const matrices: [string, Sparse][] = [
  ["one number", symmetric(1, [[0, 0, 3]])],
  ["two components and isolated vertices", star],
  ["a clique", clique],
  ["scattered, 2 a row", scattered(150, 2, 1)],
  ["scattered, 1 a row", scattered(300, 1, 2)],
  ["a grid", grid(15)],
];

/** L·D·Lᵀ, in the order of elimination */
function product({ d, blocks }: Factors): Float64Array {
  const n = d.length;
  const L = new Float64Array(n * n);
  for (let i = 0; i < n; i++) L[i * (n + 1)] = 1;
  for (const { at, k, rows, panel } of blocks) {
    for (let i = 0; i < k + rows.length; i++) {
      const row = i < k ? at + i : rows[i - k]!;
      for (let j = 0; j < Math.min(i, k); j++) L[row * n + at + j] = panel[i * k + j]!;
    }
  }
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let t = 0; t <= j; t++) sum += L[i * n + t]! * d[t]! * L[j * n + t]!;
      A[i * n + j] = A[j * n + i] = sum;
    }
  }
  return A;
}

/** The rows of L, column by column, by eliminating the pattern itself */
function fill(A: Sparse, order: Int32Array): Set<number>[] {
  const place = new Map([...order].map((v, k) => [v, k]));
  const columns = Array.from(order, () => new Set<number>());
  for (let i = 0; i < A.rows; i++) {
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) {
      const [a, b] = [place.get(i)!, place.get(A.indices[k]!)!];
      if (a !== b) columns[Math.min(a, b)]!.add(Math.max(a, b));
    }
  }
  for (const column of columns) {
    const rows = [...column].sort((a, b) => a - b);
    for (const row of rows.slice(1)) columns[rows[0]!]!.add(row);
  }
  return columns;
}

describe.each(matrices)("%s", (_name, A) => {
  const n = A.rows;
  const symbolic = analyse(A)!;
  const dense = sparseToDense(A).data;
  const [values, V] = [new Float64Array(n), E.small(n, n)];
  E.factor.eigh(V, values, E.small(n, n, dense));

  test("every row is eliminated once, and L has a place for all of its fill", () => {
    expect([...symbolic.order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    const columns = fill(A, symbolic.order);
    let stored = 0;
    for (const [s, rows] of symbolic.rows.entries()) {
      const [at, end] = [symbolic.first[s]!, symbolic.first[s + 1]!];
      for (let j = at; j < end; j++) {
        for (const i of columns[j]!) expect(i < end || rows.includes(i)).toBe(true);
        stored += end - j + rows.length;
      }
      if (rows.length > 0) expect(symbolic.first[symbolic.parent[s]!]).toBeLessThanOrEqual(rows[0]!);
    }
    const needed = n + columns.reduce((sum, rows) => sum + rows.size, 0);
    expect(stored).toBeGreaterThanOrEqual(needed);
    // zeros that are stored for longer runs of columns
    expect(stored).toBeLessThanOrEqual(2 * needed + 16 * symbolic.rows.length);
    expect(symbolic.entries).toBeGreaterThanOrEqual(stored);
    expect(analyse(A, needed)).toBeDefined();
    expect(analyse(A, needed - 1)).toBeUndefined();
  });

  test.each([-0.3, 0.1, 1.7])("LDLᵀ is the matrix up to γ·|L||D||Lᵀ|, and counts the eigenvalues below %d", (at) => {
    const sigma = at * Math.max(1, Math.abs(values[0]!));
    const factors = factorize(E, symbolic, A, sigma)!;
    const made = product(factors);
    const { size, terms } = growthOf(factors);
    const hair = (terms + 8) * U * size + 4 * U * Math.abs(sigma);
    const { order } = symbolic;
    for (let i = 0; i < n; i++) {
      let row = 0;
      for (let j = 0; j < n; j++) {
        row += Math.abs(made[i * n + j]! - dense[order[i]! * n + order[j]!]! + (i === j ? sigma : 0));
      }
      // twice: the product above has rounding of its own
      expect(row).toBeLessThanOrEqual(2 * hair);
    }
    const nearest = Math.min(...values.map((v) => Math.abs(v - sigma)));
    if (nearest > 2 * hair) expect(factors.negative).toBe(values.filter((v) => v < sigma).length);
    else expect(hair).toBeLessThan(1e-6);
  });

  test("solves with any number of columns; not definite from the lowest eigenvalue on", () => {
    const size = Math.max(Math.abs(values[0]!), Math.abs(values[n - 1]!));
    const sigma = values[0]! - 0.1 * size;
    const factors = factorize(E, symbolic, A, sigma, true)!;
    expect(factors.negative).toBe(0);
    const solve = solver(E, factors);
    for (const cols of [1, 2, 3]) {
      const x = Float64Array.from({ length: n * cols }, random(cols, "right side").normal);
      const b = x.slice();
      solve(x, cols);
      const y = { rows: n, cols, data: b.slice() };
      sparseApply(y, A, { rows: n, cols, data: x }, 1, -1);
      for (const [k, v] of y.data.entries()) expect(Math.abs(v - sigma * x[k]!)).toBeLessThanOrEqual(1e-12);
    }
    expect(factorize(E, symbolic, A, values[0]! + 1e-6 * size, true)).toBeUndefined();
  });
});

test("the solution does not depend on the numbering", () => {
  const A = grid(12);
  const n = A.rows;
  const mixed = Array.from({ length: n }, (_, i) => (i * 55 + 7) % n);
  const entries: [number, number, number][] = [];
  for (let i = 0; i < n; i++) {
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) {
      if (A.indices[k]! >= i) entries.push([mixed[i]!, mixed[A.indices[k]!]!, A.values[k]!]);
    }
  }
  const b = Float64Array.from({ length: n }, random(1, "b").normal);
  const [x, y] = [b.slice(), new Float64Array(n)];
  for (let i = 0; i < n; i++) y[mixed[i]!] = b[i]!;
  for (const [B, z] of [
    [A, x],
    [symmetric(n, entries), y],
  ] as const) {
    solver(E, factorize(E, analyse(B)!, B, 0, true)!)(z, 1);
  }
  for (let i = 0; i < n; i++) expect(Math.abs(x[i]! - y[mixed[i]!]!)).toBeLessThanOrEqual(1e-13 * n);
});

test("a grid of n points: O(n·log n) numbers in L, and the same order every time", () => {
  const A = grid(64);
  const n = A.rows;
  const { first, rows, order } = analyse(A)!;
  let stored = 0;
  for (const [s, below] of rows.entries()) {
    const k = first[s + 1]! - first[s]!;
    stored += (k * (k + 1)) / 2 + k * below.length;
  }
  expect(stored).toBeLessThanOrEqual(2 * n * Math.log2(n));
  expect(analyse(grid(64))!.order).toEqual(order);
});

test("vertices that separate two parts: nearly a side of a grid, the hub of a star; L has no fewer numbers than half their square", () => {
  const star = Array.from({ length: 100 }, (_, i) => [0, i, 1] as [number, number, number]);
  expect(separatorWidth(symmetric(100, star))).toBe(1);
  expect(separatorWidth(symmetric(5, [[0, 0, 1]]))).toBe(0);
  expect(separatorWidth(grid(30))).toBeLessThanOrEqual(30);
  for (const A of [grid(30), scattered(400, 6, 1)]) {
    const width = separatorWidth(A);
    expect(width).toBeGreaterThanOrEqual(Math.sqrt(A.rows) / 2);
    expect(analyse(A)!.entries).toBeGreaterThan(width ** 2 / 2);
  }
});

test("vertices that hang on one other go first: a tree and what hangs on a grid fill nothing in", () => {
  const { uniform } = random(3, "tree");
  const tree = Array.from(
    { length: 499 },
    (_, i) => [i + 1, Math.floor(uniform() * (i + 1)), 1] as [number, number, number],
  );
  const graph = graphOf(symmetric(500, tree));
  const order = nestedDissection(graph)!;
  const place = new Int32Array(500);
  order.forEach((v, k) => void (place[v] = k));
  for (let v = 0; v < 500; v++) {
    const later = graph.neighbours
      .subarray(graph.pointers[v], graph.pointers[v + 1])
      .filter((w) => place[w]! > place[v]!);
    expect(later.length).toBeLessThanOrEqual(1);
  }
  // chains of three at the corners of a grid
  const { rows: n, pointers, indices } = grid(10);
  const edges: [number, number, number][] = [];
  for (let i = 0; i < n; i++)
    for (let k = pointers[i]!; k < pointers[i + 1]!; k++) if (indices[k]! > i) edges.push([i, indices[k]!, 1]);
  for (const [c, corner] of [0, 9, 90, 99].entries()) {
    const first = n + 3 * c;
    edges.push([corner, first, 1], [first, first + 1, 1], [first + 1, first + 2, 1]);
  }
  const hanging = nestedDissection(graphOf(symmetric(n + 12, edges)))!;
  expect(new Set(hanging.subarray(0, 12))).toEqual(new Set(Array.from({ length: 12 }, (_, k) => n + k)));
  expect(new Set(hanging).size).toBe(n + 12);
});

test("searches for separators are few in a grid, and given up where there are none that are small", () => {
  expect(nestedDissection(graphOf(grid(64)), 30)).toEqual(nestedDissection(graphOf(grid(64))));
  const graph = graphOf(scattered(3000, 8, 2));
  expect(nestedDissection(graph, 60)).toBeUndefined();
  expect(new Set(nestedDissection(graph)).size).toBe(3000);
  expect(analyse(scattered(3000, 8, 2), Number.POSITIVE_INFINITY, 60)).toBeUndefined();
});

test("many components and stars take no time: nested dissection is linear in them", () => {
  const n = 50_000;
  const isolated = { size: n, pointers: new Int32Array(n + 1), neighbours: new Int32Array(0) };
  expect(new Set(nestedDissection(isolated)).size).toBe(n);
  const hub = symmetric(
    n,
    Array.from({ length: n }, (_, i) => [0, i, 1] as [number, number, number]),
  );
  // the hub comes last: no fill
  expect(analyse(hub)!.rows.every((rows) => rows.length <= 1)).toBe(true);
  expect(graphOf(hub).neighbours.length).toBe(2 * (n - 1));
});

describe("R of B = RᵀR", () => {
  test.each([1, 3])("RᵀR·x = B·x for %i columns, on matrices with and without wide supernodes", (cols) => {
    for (const B of [grid(9), scattered(60, 3, 4), dense(40)]) {
      const n = B.rows;
      // diagonally dominant, hence positive definite
      const symbolic = analyse(B)!;
      const shift = -2 * B.values.reduce((sum, v) => sum + Math.abs(v), 0);
      const { apply, applyT } = rootOf(factorize(E, symbolic, B, shift, true)!);
      const { normal } = random(cols, "root");
      const x = Float64Array.from({ length: n * cols }, normal);
      const y = new Float64Array(n * cols);
      sparseApply({ rows: n, cols, data: y }, B, { rows: n, cols, data: x });
      const z = x.slice();
      apply(z, cols);
      const norm = z.reduce((sum, v) => sum + v * v, 0);
      applyT(z, cols);
      const size = Math.abs(shift) * Math.max(...x.map(Math.abs));
      for (let k = 0; k < z.length; k++) expect(Math.abs(z[k]! - (y[k]! - shift * x[k]!))).toBeLessThan(1e-12 * size);
      // ‖Rx‖² = ⟨x, Bx⟩
      const form = x.reduce((sum, v, k) => sum + v * (y[k]! - shift * v), 0);
      expect(Math.abs(norm - form)).toBeLessThan(1e-12 * form);
    }
  });

  test("the factorization of a full matrix solves with it and counts its eigenvalues", () => {
    const n = 70;
    const A = dense(n);
    const full = sparseToDense(A);
    const factors = factorize(E, denseSymbolic(n), A, 0.3)!;
    const x = Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1));
    const y = x.slice();
    solver(E, factors)(y, 1);
    for (let i = 0; i < n; i++) {
      let sum = -0.3 * y[i]!;
      for (let j = 0; j < n; j++) sum += full.data[i * n + j]! * y[j]!;
      expect(Math.abs(sum - x[i]!)).toBeLessThan(1e-9);
    }
    expect(factors.negative).toBe(factorize(E, analyse(A)!, A, 0.3)!.negative);
  });

  /** Every entry is stored. */
  function dense(n: number): Sparse {
    const { normal } = random(n, "dense");
    const entries: [number, number, number][] = [];
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) entries.push([i, j, normal()]);
    return symmetric(n, entries);
  }
});
