/** Numbers of instances, the same bits on every machine. */

import type { Matrix, Random } from "@expen/linalg";
import { gaussian, plain, plainProduct, plainTranspose, randomOrthonormal } from "@expen/linalg";

/** A matrix from a function of its indices. */
export const entries = (rows: number, cols: number, value: (i: number, j: number) => number): Matrix => {
  const A = plain(rows, cols);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) A.data[i * cols + j] = value(i, j);
  return A;
};

export const diagonal = (n: number, value: (i: number) => number): Matrix =>
  entries(n, n, (i, j) => (i === j ? value(i) : 0));

/** Q·Diag(values)·Qᵀ with a random orthogonal Q */
export function withEigenvalues(n: number, r: Random, value: (i: number) => number): Matrix {
  const Q = randomOrthonormal(n, n, r);
  const d = Array.from({ length: n }, (_, i) => value(i));
  const scaled = entries(n, n, (i, j) => Q.data[i * n + j]! * d[j]!);
  const A = plainProduct(scaled, plainTranspose(Q));
  return entries(n, n, (i, j) => (A.data[i * n + j]! + A.data[j * n + i]!) / 2);
}

/** from, …, to in `count` equal ratios */
export const geometric = (from: number, to: number, count: number) => {
  return (i: number): number => from * (to / from) ** (count > 1 ? i / (count - 1) : 0);
};

export const scaledBy = (a: number, A: Matrix): Matrix => ({ ...A, data: A.data.map((v) => a * v) });

/** A + a·Gaussian */
export function noisy(A: Matrix, a: number, r: Random): Matrix {
  const N = gaussian(A.rows, A.cols, r);
  return { ...A, data: A.data.map((v, k) => v + a * N.data[k]!) };
}

/** Matrices of the same number of columns in a stack. */
export function stacked(parts: readonly Matrix[]): Matrix {
  const cols = parts[0]!.cols;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const S = plain(rows, cols);
  let at = 0;
  for (const { data } of parts) {
    S.data.set(data, at);
    at += data.length;
  }
  return S;
}

/** Columns of mean 0. */
export function centred(A: Matrix): Matrix {
  const { rows, cols, data } = A;
  const mean = new Float64Array(cols);
  for (let k = 0; k < data.length; k++) mean[k % cols]! += data[k]! / rows;
  return { ...A, data: data.map((v, k) => v - mean[k % cols]!) };
}

/** Columns of mean 0 and variance 1. */
export function standardized(A: Matrix): Matrix {
  const C = centred(A);
  const { rows, cols, data } = C;
  const square = new Float64Array(cols);
  for (let k = 0; k < data.length; k++) square[k % cols]! += data[k]! ** 2 / rows;
  return { ...C, data: data.map((v, k) => v / Math.sqrt(square[k % cols]!)) };
}
