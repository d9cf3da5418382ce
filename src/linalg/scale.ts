/** Sizes of entries: what overflows, underflows or is no number is found here, before an algorithm starts. */
import { EngineError } from "../errors.js";
import type { Matrix } from "../types.js";

export const EPS = 2 ** -52;

/** max |A_ij|; NaN and infinity are an error that names the operation and the entry. */
export function maxAbs(A: Matrix, op: string): number {
  const a = A.data;
  let m = 0;
  for (let i = 0; i < a.length; i++) {
    const t = Math.abs(a[i]!);
    if (!(t < Number.POSITIVE_INFINITY)) throw notFinite(A, i, op);
    if (t > m) m = t;
  }
  return m;
}

function notFinite({ cols, data }: Matrix, i: number, op: string): EngineError {
  const place = `row ${Math.floor(i / cols)}, column ${i % cols}`;
  return new EngineError(`${op}: the entry in ${place} is ${data[i]}; all entries must be finite numbers.`);
}

/** The power of two c with c·m ∈ [1, 2): multiplying by it is exact. 1 for m = 0. */
export function unitScale(m: number): number {
  if (m === 0) return 1;
  const exponent = Math.floor(Math.log2(m));
  return 2 ** -Math.min(1000, Math.max(-1000, exponent));
}

export function requireSquare(A: Matrix, op: string): number {
  if (A.rows !== A.cols) throw new EngineError(`${op}: the matrix is ${A.rows}×${A.cols}; it must be square.`);
  return A.rows;
}

export function requireShape(A: Matrix, rows: number, cols: number, op: string, letter: string): void {
  if (A.rows !== rows || A.cols !== cols) {
    throw new EngineError(`${op}: ${letter} is ${A.rows}×${A.cols} but must be ${rows}×${cols}.`);
  }
}

/** B ← c·Aᵀ */
export function transpose(B: Matrix, A: Matrix, c = 1): void {
  const { rows, cols, data: a } = A;
  const b = B.data;
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) b[j * rows + i] = c * a[i * cols + j]!;
}
