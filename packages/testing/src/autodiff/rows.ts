/** Plain linear algebra on arrays of rows, written a second time so that the tape has something independent to agree with. */

import type { Matrix, Random, Tridiagonal } from "@expen/linalg";
import type { SparseRows } from "@expen/tape";

export type Rows = number[][];

export const rowsOf = ({ rows, cols, data }: Matrix): Rows =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));

export const map = (A: Rows, f: (v: number, i: number, j: number) => number): Rows =>
  A.map((row, i) => row.map((v, j) => f(v, i, j)));
export const turned = (A: Rows): Rows => A[0]!.map((_, j) => A.map((row) => row[j]!));
export const times = (A: Rows, B: Rows): Rows =>
  A.map((row) => B[0]!.map((_, j) => row.reduce((s, v, k) => s + v * B[k]![j]!, 0)));
export const total = (A: Rows): number => A.flat().reduce((s, v) => s + v, 0);

/** Gauss–Jordan with pivoting: A⁻¹ and det A */
export function inverted(A: Rows): { inverse: Rows; det: number } {
  const n = A.length;
  const W = A.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  let det = 1;
  for (let k = 0; k < n; k++) {
    let r = k;
    for (let i = k; i < n; i++) if (Math.abs(W[i]![k]!) > Math.abs(W[r]![k]!)) r = i;
    if (r !== k) {
      [W[k], W[r]] = [W[r]!, W[k]!];
      det = -det;
    }
    const pivot = W[k]![k]!;
    det *= pivot;
    W[k] = W[k]!.map((v) => v / pivot);
    for (let i = 0; i < n; i++) if (i !== k) W[i] = W[i]!.map((v, j) => v - W[i]![k]! * W[k]![j]!);
  }
  return { inverse: W.map((row) => row.slice(n)), det };
}

export function randomSparse(r: Random, rows: number, cols: number): { arg: SparseRows; dense: Rows } {
  const dense = Array.from({ length: rows }, () =>
    Array.from({ length: cols }, () => (r.uniform() < 0.4 ? r.normal() : 0)),
  );
  const pointers = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const row of dense) {
    for (const [j, v] of row.entries()) {
      if (v === 0) continue;
      indices.push(j);
      values.push(v);
    }
    pointers.push(values.length);
  }
  return { arg: { rows, cols, pointers, indices, values }, dense };
}

export function randomTridiagonal(r: Random, size: number): { arg: Tridiagonal; dense: Rows } {
  const column = (f: () => number): Matrix => ({ rows: size, cols: 1, data: Float64Array.from({ length: size }, f) });
  const [lower, main, upper] = [column(r.normal), column(() => 6 + r.uniform()), column(r.normal)];
  const dense = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) =>
      j === i ? main.data[i]! : j === i - 1 ? lower.data[i]! : j === i + 1 ? upper.data[i]! : 0,
    ),
  );
  return { arg: { lower, main, upper }, dense };
}
