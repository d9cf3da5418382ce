/** Preparation of a data matrix, one sample a row: checks, centring, scaling. */

import type { Matrix } from "@expen/linalg";
import { ProblemError } from "@expen/linalg";

interface Prepared {
  /** (A − 1·centreᵀ)·Diag(1/scale) */
  readonly data: Matrix;
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

/** The error for finite numbers whose squares overflow */
export const overflow = (application: string, letter: string): ProblemError =>
  new ProblemError(`${application}: squares of ${letter} overflow; divide it by a power of ten.`);

/** Standard deviations about the centre; 1 for a constant column, so that scaling leaves its zeros */
export function deviations({ rows: m, cols: n, data }: Matrix, centre: Float64Array): Float64Array {
  const square = new Float64Array(n);
  for (let i = 0, k = 0; i < m; i++) for (let j = 0; j < n; j++, k++) square[j]! += (data[k]! - centre[j]!) ** 2;
  return square.map((s) => Math.sqrt(s / Math.max(1, m - 1)) || 1);
}

export function prepared(A: Matrix, centre: Float64Array, standardise: boolean): Prepared {
  const { rows: m, cols: n } = A;
  const data = new Float64Array(m * n);
  for (let i = 0, k = 0; i < m; i++) for (let j = 0; j < n; j++, k++) data[k] = A.data[k]! - centre[j]!;
  const scale = standardise ? deviations(A, centre) : new Float64Array(n).fill(1);
  if (standardise) {
    for (let i = 0, k = 0; i < m; i++) for (let j = 0; j < n; j++, k++) data[k]! /= scale[j]!;
  }
  return { data: { rows: m, cols: n, data }, centre, scale };
}

/** Rows of n² numbers as n×n matrices */
export function squareMatrices(application: string, { rows, cols, data }: Matrix): Matrix[] {
  const n = Math.sqrt(cols);
  if (!Number.isInteger(n)) {
    throw new ProblemError(`${application}: the file has ${cols} columns; a matrix a row takes 4, 9, 16, … numbers.`);
  }
  return Array.from({ length: rows }, (_, i) => ({ rows: n, cols: n, data: data.slice(i * cols, (i + 1) * cols) }));
}

/** ‖A‖² */
export function squareSum({ data }: Matrix): number {
  let sum = 0;
  for (let k = 0; k < data.length; k++) sum += data[k]! * data[k]!;
  return sum;
}

export function columnMeans({ rows: m, cols: n, data }: Matrix): Float64Array {
  const mean = new Float64Array(n);
  // four rows at once: the sums are read and written a quarter as often
  const whole = m - (m % 4);
  for (let i = 0; i < whole; i += 4) {
    for (let j = 0, k = i * n; j < n; j++, k++) {
      mean[j]! += data[k]! + data[k + n]! + (data[k + 2 * n]! + data[k + 3 * n]!);
    }
  }
  for (let i = whole, k = whole * n; i < m; i++) for (let j = 0; j < n; j++, k++) mean[j]! += data[k]!;
  for (let j = 0; j < n; j++) mean[j]! /= m;
  return mean;
}

/** The point with the least sum of distances to the rows, by Weiszfeld's iteration; its breakdown point is one half. */
export function geometricMedian(A: Matrix): Float64Array {
  const { rows: m, cols: n, data } = A;
  let c = columnMeans(A);
  const distance = (i: number): number => {
    let s = 0;
    for (let j = 0; j < n; j++) s += (data[i * n + j]! - c[j]!) ** 2;
    return Math.sqrt(s);
  };
  const spread = Array.from({ length: m }, (_, i) => distance(i)).reduce((a, b) => a + b, 0) / m;
  if (spread === 0) return c;
  for (let k = 0; k < 500; k++) {
    const next = new Float64Array(n);
    let total = 0;
    for (let i = 0; i < m; i++) {
      const w = 1 / Math.max(distance(i), 1e-9 * spread);
      total += w;
      for (let j = 0; j < n; j++) next[j]! += w * data[i * n + j]!;
    }
    let step = 0;
    for (let j = 0; j < n; j++) step += (next[j]! / total - c[j]!) ** 2;
    c = next.map((v) => v / total);
    if (Math.sqrt(step) <= 1e-10 * spread) break;
  }
  return c;
}
