/** Matrices with known eigenvalues. */
import type { Sparse } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";

type Entry = readonly [i: number, j: number, value: number];

export const sparse = (n: number, entries: readonly Entry[]): Sparse =>
  sparseFromTriplets(
    n,
    n,
    entries.map(([i]) => i),
    entries.map(([, j]) => j),
    entries.map(([, , v]) => v),
  );

/** 2 − 2cos(kπ/(m + 1)), k = 1 … m: the eigenvalues of tridiag(−1, 2, −1) */
export const pathValues = (m: number): number[] =>
  Array.from({ length: m }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (m + 1)));

/** The five-point Laplacian of an m×l grid; its eigenvalues are the sums of those of the two paths. */
export function grid(m: number, l = m): Sparse {
  const entries: Entry[] = [];
  const at = (a: number, b: number): number => a * l + b;
  for (let a = 0; a < m; a++) {
    for (let b = 0; b < l; b++) {
      entries.push([at(a, b), at(a, b), 4]);
      if (a > 0) entries.push([at(a, b), at(a - 1, b), -1], [at(a - 1, b), at(a, b), -1]);
      if (b > 0) entries.push([at(a, b), at(a, b - 1), -1], [at(a, b - 1), at(a, b), -1]);
    }
  }
  return sparse(m * l, entries);
}

export const gridValues = (m: number, l = m): number[] =>
  pathValues(m)
    .flatMap((a) => pathValues(l).map((b) => a + b))
    .sort((a, b) => a - b);

/** The Laplacian of a path with free ends: eigenvalues 2 − 2cos(kπ/m), k = 0 … m − 1, the first one 0 */
export function freePath(m: number): Sparse {
  const entries: Entry[] = [];
  for (let i = 0; i < m; i++) {
    entries.push([i, i, i === 0 || i === m - 1 ? 1 : 2]);
    if (i > 0) entries.push([i, i - 1, -1], [i - 1, i, -1]);
  }
  return sparse(m, entries);
}

export const diagonal = (values: readonly number[]): Sparse =>
  sparse(
    values.length,
    values.map((v, i) => [i, i, v]),
  );

/** `values` sorted by their distance from σ */
export const nearest = (values: readonly number[], sigma: number): number[] =>
  values.toSorted((a, b) => Math.abs(a - sigma) - Math.abs(b - sigma));
