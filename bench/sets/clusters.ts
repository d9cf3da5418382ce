/** Clusters of measured data: orthogonal factorization and K-indicators beside k-means and NMF of scikit-learn */

import { loadMatrix } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { clusters } from "expen/apps";
import type { SetsRun } from "./results.js";
import type { Scipy } from "./scipy.js";

export interface Collection {
  readonly name: string;
  readonly file: string;
  readonly p: number;
  /** before rows get unit length; counts of words by their square roots, whose distance is that of Hellinger */
  entry(x: number): number;
  /** seeds at most: a run on digits takes half a minute */
  readonly seeds: number;
}

export const collections: readonly Collection[] = [
  { name: "books, 138 passages of 6", file: "books.csv", p: 6, entry: Math.sqrt, seeds: 20 },
  { name: "digits, 1797 images of 10", file: "digits.npz", p: 10, entry: (x) => x, seeds: 2 },
];

/** Rows of unit length, and the class of each from the last column */
export async function readCollection({ file, entry }: Collection): Promise<{ A: Matrix; classes: number[] }> {
  const { matrix } = await loadMatrix(`examples/data/${file}`);
  const { rows: m, cols } = matrix;
  const n = cols - 1;
  const A: Matrix = { rows: m, cols: n, data: new Float64Array(m * n) };
  for (let i = 0; i < m; i++) {
    const row = Array.from({ length: n }, (_, j) => entry(matrix.data[i * cols + j]!));
    const length = Math.hypot(...row);
    for (const [j, x] of row.entries()) A.data[i * n + j] = x / length;
  }
  return { A, classes: Array.from({ length: m }, (_, i) => matrix.data[i * cols + n]!) };
}

/** The adjusted Rand index [Hubert and Arabie, Comparing partitions, 1985]: 1 for equal partitions, 0 in the mean for random ones */
export function adjustedRand(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [both, ofA, ofB] = [new Map<string, number>(), new Map<number, number>(), new Map<number, number>()];
  const count = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1);
  for (let i = 0; i < a.length; i++) {
    count(both, `${a[i]} ${b[i]}`);
    count(ofA, a[i]!);
    count(ofB, b[i]!);
  }
  const pairs = (k: number): number => (k * (k - 1)) / 2;
  const total = (map: Map<unknown, number>): number => [...map.values()].reduce((sum, k) => sum + pairs(k), 0);
  const expected = (total(ofA) * total(ofB)) / pairs(a.length);
  return (total(both) - expected) / ((total(ofA) + total(ofB)) / 2 - expected);
}

export async function clusterRuns(collection: Collection, seed: number, scipy: Scipy | undefined): Promise<SetsRun[]> {
  const { name, p } = collection;
  const { A, classes } = await readCollection(collection);
  const base = { group: "clusters", problem: name, seed, violation: 0, level: null } as const;
  const runs: SetsRun[] = [];
  for (const kind of ["factorization", "indicators"] as const) {
    const { labels, run } = await clusters(A, { p, kind, seed, starts: 1 });
    const { status, fval: f, evaluations } = run;
    const rand = adjustedRand(labels, classes);
    runs.push({ ...base, contender: `expen-${kind}`, status, f, evaluations: evaluations.f, rand });
  }
  for (const method of scipy ? (["kmeans", "nmf"] as const) : []) {
    const { labels, status } = await scipy!.solve({ method, rows: A.rows, A: [...A.data], p, seed });
    if (!labels) continue;
    const rand = adjustedRand(labels, classes);
    runs.push({ ...base, contender: method, status, f: Number.NaN, evaluations: null, rand });
  }
  return runs;
}
