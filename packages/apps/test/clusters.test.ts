/** Clusters and nonnegative components: planted groups, known data beside k-means, identities of the answers. */

import { loadMatrix } from "@expen/data";
import { type Matrix, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { clusters, nonnegativePca } from "../src/index.js";

const engine = jsEngine();

/** The largest share of samples with the right class, over all names of p ≤ 4 clusters */
function accuracy(labels: readonly number[], classes: readonly number[], p: number): number {
  const visit = (names: number[]): number =>
    names.length === p
      ? labels.filter((j, i) => j >= 0 && names[j] === classes[i]).length / labels.length
      : Math.max(...Array.from({ length: p }, (_, k) => (names.includes(k) ? 0 : visit([...names, k]))));
  return visit([]);
}

/** Lloyd's algorithm on standardised samples from 20 random starts: the labels of the least sum of squares */
function kMeans(A: Matrix, p: number): number[] {
  const [m, n] = [A.rows, A.cols];
  const Z = Float64Array.from(A.data);
  for (let j = 0; j < n; j++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < m; i++) sum += Z[i * n + j]!;
    for (let i = 0; i < m; i++) squares += (Z[i * n + j]! - sum / m) ** 2;
    for (let i = 0; i < m; i++) Z[i * n + j] = (Z[i * n + j]! - sum / m) / Math.sqrt(squares / (m - 1));
  }
  const squared = (i: number, c: Float64Array): number => c.reduce((s, x, j) => s + (x - Z[i * n + j]!) ** 2, 0);
  const r = random(1, "k-means");
  let best = { cost: Number.POSITIVE_INFINITY, labels: [] as number[] };
  for (let start = 0; start < 20; start++) {
    const centres = Array.from({ length: p }, () => Z.slice(r.integer(m) * n).slice(0, n));
    let labels: number[] = [];
    let cost = 0;
    for (let step = 0; step < 50; step++) {
      cost = 0;
      labels = Array.from({ length: m }, (_, i) => {
        const distances = centres.map((c) => squared(i, c));
        const least = Math.min(...distances);
        cost += least;
        return distances.indexOf(least);
      });
      for (const [k, c] of centres.entries()) {
        const rows = labels.flatMap((j, i) => (j === k ? [i] : []));
        if (rows.length > 0)
          for (let j = 0; j < n; j++) c[j] = rows.reduce((s, i) => s + Z[i * n + j]!, 0) / rows.length;
      }
    }
    if (cost < best.cost) best = { cost, labels };
  }
  return best.labels;
}

test.each([
  ["wine", "1-13", 14],
  ["iris", "1-4", 5],
] as const)("%s: indicators name the classes about as well as k-means does", async (name, columns, column) => {
  const { matrix } = await loadMatrix(`examples/data/${name}.csv`);
  const classes = Array.from({ length: matrix.rows }, (_, i) => matrix.data[i * matrix.cols + column - 1]!);
  const { labels, sizes, run } = await clusters(matrix, { p: 3, columns: [columns], engine });
  const width = column - 1;
  const A = {
    rows: matrix.rows,
    cols: width,
    data: Float64Array.from(
      { length: matrix.rows * width },
      (_, k) => matrix.data[Math.floor(k / width) * matrix.cols + (k % width)]!,
    ),
  };
  const [own, other] = [accuracy(labels, classes, 3), accuracy(kMeans(A, 3), classes, 3)];
  expect(own).toBeGreaterThan(other - 0.08);
  expect(sizes.reduce((s, x) => s + x, 0)).toBe(labels.filter((j) => j >= 0).length);
  expect(run.certificate.level).not.toBe("none");
});

test("counts of words of planted topics are factorized: documents of one topic together, whatever their length", async () => {
  const [m, n, p] = [60, 80, 4];
  const r = random(3, "topics");
  const topics = Array.from({ length: p }, () => Float64Array.from({ length: n }, () => r.uniform() ** 4));
  const classes = Array.from({ length: m }, (_, i) => i % p);
  const data = new Float64Array(m * n);
  for (const [i, k] of classes.entries()) {
    const words = 20 + r.integer(400);
    const total = topics[k]!.reduce((s, x) => s + x, 0);
    for (let w = 0; w < words; w++) {
      let u = r.uniform() * total;
      const j = topics[k]!.findIndex((x) => (u -= x) < 0);
      data[i * n + j]!++;
    }
  }
  const { labels, weights, unexplained } = await clusters(
    { rows: m, cols: n, data },
    { p, kind: "factorization", engine },
  );
  expect(accuracy(labels, classes, p)).toBe(1);
  expect(Math.min(...weights.data)).toBe(0);
  // ‖A − XXᵀA‖² = ‖A‖² − ‖AᵀX‖²
  let [left, whole] = [0, 0];
  for (let j = 0; j < n; j++) {
    const c = new Float64Array(p);
    for (let i = 0; i < m; i++) for (let k = 0; k < p; k++) c[k]! += weights.data[i * p + k]! * data[i * n + j]!;
    for (let i = 0; i < m; i++) {
      let x = data[i * n + j]!;
      whole += x * x;
      for (let k = 0; k < p; k++) x -= weights.data[i * p + k]! * c[k]!;
      left += x * x;
    }
  }
  expect(unexplained).toBeCloseTo(left / whole, 10);
});

test("nonnegative components: disjoint variables, variances of the scores, planted blocks", async () => {
  const [m, n, p] = [200, 9, 3];
  const r = random(5, "blocks");
  const data = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const factors = Array.from({ length: p }, (_, k) => (p - k) * r.normal());
    for (let j = 0; j < n; j++) data[i * n + j] = factors[j % p]! + 0.3 * r.normal();
  }
  const { components, support, variances, scores } = await nonnegativePca({ rows: m, cols: n, data }, { p, engine });
  expect(support).toEqual([
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
  ]);
  expect(Math.min(...components.data)).toBe(0);
  for (let k = 0; k < p; k++) {
    let squares = 0;
    for (let i = 0; i < m; i++) squares += scores.data[i * p + k]! ** 2;
    expect(squares / (m - 1)).toBeCloseTo(variances[k]!, 8);
  }
});

test("bad input is a sentence", async () => {
  const A = { rows: 3, cols: 2, data: Float64Array.of(1, 2, 3, -4, 5, 6) };
  await expect(clusters(A, { p: 4, engine })).rejects.toThrow(
    "clusters: p is 4 but A has 3 rows; there are no more clusters than samples.",
  );
  await expect(clusters(A, { p: 2, kind: "factorization", engine })).rejects.toThrow(
    "clusters: entry (1, 1) of A is -4; a factorization needs A ≥ 0, or take indicators.",
  );
  await expect(clusters(A, { p: 2, solver: "rcg", engine } as never)).rejects.toThrow(
    /^subjectTo: the solver is 'rcg'/,
  );
});
