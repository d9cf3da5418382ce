/** Checks of shapes; each error is one sentence. */
import { EngineError } from "./errors.js";
import { quoted } from "./options.js";

type Shaped = { readonly rows: number; readonly cols: number };

/** A sentence about sizes that an n×p matrix with orthonormal columns cannot have; undefined if they are valid */
export function wrongSizes(n: number, p: number): string | undefined {
  for (const [letter, size] of Object.entries({ n, p })) {
    if (!Number.isInteger(size) || size < 1)
      return `${letter} is ${quoted(size)}; it must be a whole number, 1 or more.`;
  }
  return p > n ? `p = ${p} is above n = ${n}; ${p} orthonormal columns need n ≥ p.` : undefined;
}

export function requireSquare(A: Shaped, op: string): number {
  if (A.rows !== A.cols) throw new EngineError(`${op}: the matrix is ${A.rows}×${A.cols}; it must be square.`);
  return A.rows;
}

export function requireShape(A: Shaped, rows: number, cols: number, op: string, letter: string): void {
  if (A.rows !== rows || A.cols !== cols) {
    throw new EngineError(`${op}: ${letter} is ${A.rows}×${A.cols} but must be ${rows}×${cols}.`);
  }
}
