/** Checks of the sizes and data that a user gives to a problem or an application, each with one sentence about what is wrong. */
import { isSparse, type Sparse, sparseIsSymmetric, sparseToDense } from "./arrays/sparse.js";
import { isNearlySymmetric } from "./arrays/symmetric.js";
import type { Matrix } from "./contracts/matrix.js";
import { described } from "./errors.js";
import { wrongSizes } from "./shape.js";

/** A wrong option or wrong data; the sentence names it, its value, and what to do. */
export class ProblemError extends Error {
  override name = "ProblemError";
}

export function checkSizes(problem: string, n: number, p: number): void {
  const wrong = wrongSizes(n, p);
  if (wrong) throw new ProblemError(`${problem}: ${wrong}`);
}

/** Throws for a matrix of another shape, with too many or too few numbers, or of single precision. */
export function checkDataShape(problem: string, letter: string, A: Matrix | Sparse, rows: number, cols: number): void {
  if (A.rows !== rows || A.cols !== cols)
    throw new ProblemError(`${problem}: ${letter} is ${A.rows}×${A.cols} but must be ${rows}×${cols}.`);
  if (isSparse(A)) return;
  if (!(A.data instanceof Float64Array)) {
    const advice = "it must be a Float64Array; asMatrix(…).matrix makes a matrix of rows or of an ndarray";
    throw new ProblemError(`${problem}: the data of ${letter} is ${described(A.data)}; ${advice}.`);
  }
  if (A.data.length !== rows * cols)
    throw new ProblemError(`${problem}: ${letter} is ${rows}×${cols} but has ${A.data.length} numbers.`);
}

/** `checkDataShape`; throws for NaN and infinity as well. */
export function checkData(problem: string, letter: string, A: Matrix | Sparse, rows: number, cols: number): void {
  checkDataShape(problem, letter, A, rows, cols);
  const entries = isSparse(A) ? A.values : A.data;
  if (allFinite(entries)) return;
  const bad = entries.findIndex((v) => !Number.isFinite(v));
  const where = isSparse(A) ? `stored entry ${bad}` : `entry (${Math.floor(bad / cols)}, ${bad % cols})`;
  throw new ProblemError(`${problem}: ${where} of ${letter} is ${entries[bad]}; fill it in or leave its row out.`);
}

/** 0·x is 0 except for NaN and infinity; four independent sums avoid the latency of one. */
function allFinite(x: Float64Array): boolean {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = x.length - (x.length % 4);
  for (let k = 0; k < whole; k += 4) {
    a += 0 * x[k]!;
    b += 0 * x[k + 1]!;
    c += 0 * x[k + 2]!;
    d += 0 * x[k + 3]!;
  }
  for (let k = whole; k < x.length; k++) a += 0 * x[k]!;
  return a + b + c + d === 0;
}

export function checkFinite(problem: string, name: string, value: number): void {
  if (!Number.isFinite(value)) throw new ProblemError(`${problem}: ${name} is ${value}; it must be a finite number.`);
}

/** Throws for an n×n matrix that is not symmetric; the default tolerance is the rounding of a file with 12 digits. */
export function checkSymmetric(problem: string, letter: string, A: Matrix | Sparse, tolerance = 1e-12): void {
  const symmetric = isSparse(A) ? sparseIsSymmetric(A, tolerance) : isNearlySymmetric(A, tolerance);
  if (!symmetric) {
    throw new ProblemError(
      `${problem}: ${letter} is not symmetric; give (${letter} + ${letter}ᵀ)/2, which has the same f.`,
    );
  }
}

export const dense = (A: Matrix | Sparse): Matrix => (isSparse(A) ? sparseToDense(A) : A);
