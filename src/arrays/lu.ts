import { EngineError } from "../errors.js";
import { EPS, unitScale } from "./scale.js";

/** A = P·L·U over a (U on and above the diagonal), and x ← A⁻¹·x; a is p×p, x is p×q. */
export type Elimination = (a: Float64Array, x: Float64Array, p: number, q: number) => void;

/**
 * x ← A⁻¹·x by LU with partial pivoting on the row-equilibrated system; a is destroyed, `columnMax` (p numbers) is scratch. A is called
 * singular, which is an error, where a pivot is at most p·ε times the largest entry of its column: a test that does not depend on
 * the scaling of rows and columns.
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

/** Row i of A and of B times the same power of two, so that the largest entry of A's row is about 1 */
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

/** At a zero pivot it ends, and the caller sees the zero. */
function gaussian(a: Float64Array, x: Float64Array, p: number, q: number): void {
  for (let k = 0; k < p; k++) {
    let best = k;
    for (let i = k + 1; i < p; i++) if (Math.abs(a[i * p + k]!) > Math.abs(a[best * p + k]!)) best = i;
    if (a[best * p + k] === 0) return;
    if (best !== k) {
      swapRows(a, k, best, p);
      swapRows(x, k, best, q);
    }
    for (let i = k + 1; i < p; i++) {
      const t = a[i * p + k]! / a[k * p + k]!;
      if (t === 0) continue;
      for (let j = k + 1; j < p; j++) a[i * p + j]! -= t * a[k * p + j]!;
      for (let j = 0; j < q; j++) x[i * q + j]! -= t * x[k * q + j]!;
    }
  }
  for (let k = p - 1; k >= 0; k--) {
    for (let i = k + 1; i < p; i++) {
      const t = a[k * p + i]!;
      for (let j = 0; j < q; j++) x[k * q + j]! -= t * x[i * q + j]!;
    }
    for (let j = 0; j < q; j++) x[k * q + j]! /= a[k * p + k]!;
  }
}

function swapRows(a: Float64Array, i: number, k: number, width: number): void {
  for (let j = 0; j < width; j++) {
    const t = a[i * width + j]!;
    a[i * width + j] = a[k * width + j]!;
    a[k * width + j] = t;
  }
}
