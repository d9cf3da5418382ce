/** Seeded data for the programs of this folder */
import { random } from "expen";

type Rows = number[][];

export function normals(rows: number, cols: number, seed = 1): Rows {
  const { normal } = random(seed, "peers");
  return Array.from({ length: rows }, () => Array.from({ length: cols }, normal));
}

export const product = (A: Rows, B: Rows): Rows =>
  A.map((row) => B[0]!.map((_, j) => row.reduce((s, a, k) => s + a * B[k]![j]!, 0)));

export const transposed = (A: Rows): Rows => A[0]!.map((_, j) => A.map((row) => row[j]!));

/** (A + Aᵀ)/2 for a random A */
export const symmetric = (n: number, seed = 1): Rows => {
  const A = normals(n, n, seed);
  return A.map((row, i) => row.map((a, j) => (a + A[j]![i]!) / 2));
};

/** AAᵀ/n + I/2 for a random A */
export const definite = (n: number, seed = 1): Rows => {
  const A = normals(n, n, seed);
  return product(A, transposed(A)).map((row, i) => row.map((a, j) => a / n + (i === j ? 0.5 : 0)));
};

/** The pairs i < j */
export const pairs = (n: number): [number, number][] =>
  Array.from({ length: n }, (_, i) =>
    Array.from({ length: n - i - 1 }, (_, k) => [i, i + 1 + k] as [number, number]),
  ).flat();
