/** P·A = L·U with partial pivoting, in place, on row-major n×n arrays [Golub and Van Loan, Matrix Computations, 3.4]. */
import { EngineError } from "../errors.js";
import { EPS } from "../rounding.js";
import { unitScale } from "./scale.js";

/** L below the diagonal of a, U on and above it; pivots[k]: the row exchanged with row k. Returns det P. Stops at a zero pivot. */
export function luFactor(a: Float64Array, n: number, pivots: Int32Array): -1 | 1 {
  let sign: -1 | 1 = 1;
  for (let k = 0; k < n; k++) {
    let r = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]!) > Math.abs(a[r * n + k]!)) r = i;
    pivots[k] = r;
    if (r !== k) {
      sign = sign === 1 ? -1 : 1;
      swapRows(a, k, r, n);
    }
    const pivot = a[k * n + k]!;
    if (pivot === 0) {
      for (let i = k + 1; i < n; i++) pivots[i] = i;
      break;
    }
    for (let i = k + 1; i < n; i++) {
      const l = (a[i * n + k]! /= pivot);
      if (l !== 0) for (let j = k + 1; j < n; j++) a[i * n + j]! -= l * a[k * n + j]!;
    }
  }
  return sign;
}

/** x ← A⁻¹·x from the factors, x n×q */
export function luSolve(x: Float64Array, q: number, lu: Float64Array, n: number, pivots: Int32Array): void {
  for (let k = 0; k < n; k++) if (pivots[k] !== k) swapRows(x, k, pivots[k]!, q);
  for (let i = 1; i < n; i++) {
    for (let k = 0; k < i; k++) {
      const l = lu[i * n + k]!;
      if (l !== 0) for (let j = 0; j < q; j++) x[i * q + j]! -= l * x[k * q + j]!;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) {
      const u = lu[i * n + k]!;
      if (u !== 0) for (let j = 0; j < q; j++) x[i * q + j]! -= u * x[k * q + j]!;
    }
    const u = lu[i * n + i]!;
    for (let j = 0; j < q; j++) x[i * q + j]! /= u;
  }
}

/** Whether A is singular to working precision: a pivot is at most n·ε times the largest entry of its column of U. False for NaN. */
export function luIsSingular(lu: Float64Array, n: number): boolean {
  for (let k = 0; k < n; k++) {
    let size = 0;
    for (let i = 0; i <= k; i++) size = Math.max(size, Math.abs(lu[i * n + k]!));
    if (Math.abs(lu[k * n + k]!) <= n * EPS * size) return true;
  }
  return false;
}

/** The sign of det A, 0 if a pivot is 0 or not finite, and log|det A|; `sign` is det P */
export function luDeterminant(lu: Float64Array, n: number, sign: number): { sign: number; log: number } {
  let log = 0;
  for (let i = 0; i < n; i++) {
    const u = lu[i * n + i]!;
    sign *= Math.sign(u);
    log += Math.log(Math.abs(u));
  }
  return { sign: Number.isFinite(log) ? sign : 0, log };
}

/** The sign of det A for A n×n, which is overwritten; 0 if a pivot is 0 or not finite */
export const determinantSign = (a: Float64Array, n: number): number =>
  luDeterminant(a, n, luFactor(a, n, new Int32Array(n))).sign;

/** A = P·L·U over a (U on and above the diagonal), and x ← A⁻¹·x; a is p×p, x is p×q. */
export type Elimination = (a: Float64Array, x: Float64Array, p: number, q: number) => void;

const gaussian: Elimination = (a, x, p, q) => {
  const pivots = new Int32Array(p);
  luFactor(a, p, pivots);
  luSolve(x, q, a, p, pivots);
};

/**
 * x ← A⁻¹·x by LU with partial pivoting on the row-equilibrated system; a is destroyed, `columnMax` (p numbers) is scratch. Throws if a
 * pivot is at most p·ε times the largest entry of its column: A is singular to working precision, whatever the scaling of rows and
 * columns.
 */
export function solveInPlace(
  a: Float64Array,
  x: Float64Array,
  p: number,
  q: number,
  columnMax: Float64Array,
  eliminate: Elimination = gaussian,
): void {
  equilibrate(a, x, p, q);
  largestInColumns(columnMax, a, p);
  eliminate(a, x, p, q);
  for (let j = 0; j < p; j++) {
    const pivot = Math.abs(a[j * p + j]!);
    if (!(pivot > p * EPS * columnMax[j]!)) {
      throw new EngineError(
        `solve: the ${p}×${p} matrix is singular (pivot ${j} is ${pivot}); a unique solution does not exist.`,
      );
    }
  }
}

/** Multiplies row i of A and of B by one power of two that makes the largest entry of the row of A about 1. */
function equilibrate(a: Float64Array, b: Float64Array, p: number, q: number): void {
  for (let i = 0; i < p; i++) {
    let m = 0;
    for (let j = 0; j < p; j++) m = Math.max(m, Math.abs(a[i * p + j]!));
    const c = unitScale(m);
    for (let j = 0; j < p; j++) a[i * p + j]! *= c;
    for (let j = 0; j < q; j++) b[i * q + j]! *= c;
  }
}

function largestInColumns(m: Float64Array, a: Float64Array, p: number): void {
  m.fill(0);
  for (let i = 0; i < p * p; i += p) {
    for (let j = 0; j < p; j++) {
      const t = Math.abs(a[i + j]!);
      if (t > m[j]!) m[j] = t;
    }
  }
}

function swapRows(a: Float64Array, i: number, k: number, width: number): void {
  for (let j = 0; j < width; j++) {
    const t = a[i * width + j]!;
    a[i * width + j] = a[k * width + j]!;
    a[k * width + j] = t;
  }
}
