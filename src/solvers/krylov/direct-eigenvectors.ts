import { numbersOf } from "../../engines/own-matrix.js";
import { denseOf } from "../../linalg/dense-of.js";
import { eigh } from "../../linalg/eigh.js";
import type { Engine, QuadraticForm, Tall } from "../../types.js";
import type { Ends } from "./ends.js";

/** The identity goes through `apply` in pieces of so many columns. */
const PIECE = 256;

/** X ← the minimiser of ½⟨X, BXC⟩ by a dense factorization of B: exact, O(n³). */
export function directEigenvectors(E: Engine, X: Tall, form: QuadraticForm, ends: Ends): void {
  E.write(X, eigenvectorsAt(E, formNumbers(E, form, X.rows), X.rows, ends, X.cols));
}

/** The numbers of the matrix of a form */
export function formNumbers(E: Engine, { matrix, apply }: QuadraticForm, n: number): Float64Array {
  return matrix && "data" in matrix ? numbersOf(E, matrix) : denseOf(E, apply, n, PIECE);
}

/** The numbers of the n×p minimiser of ½⟨X, BXC⟩: eigenvectors of B, b its numbers, at the ends that C asks for, turned as C is */
export function eigenvectorsAt(E: Engine, b: Float64Array, n: number, ends: Ends, p: number): Float64Array {
  const { v, count } = eigenvectors(E, b, n, ends);
  const places = Array.from({ length: p }, (_, j) => ends.place(j, n));
  const x = new Float64Array(n * p);
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) x[i * p + j] = v[i * count + places[j]!]!;
  ends.turn(x);
  return x;
}

/** Up to this share of all, the lowest eigenvectors are computed alone. */
export const FEW = 0.25;

/** The `count` lowest eigenvectors of B, side by side: all, or those that are wanted where these are few */
function eigenvectors(E: Engine, b: Float64Array, n: number, { low, high }: Ends): { v: Float64Array; count: number } {
  if (E.factor.lowest && high === 0 && low <= FEW * n) {
    const V = E.small(n, low);
    if (E.factor.lowest(V, new Float64Array(low), b)) return { v: E.read(V), count: low };
  }
  return { v: E.read(eigh(E, E.small(n, n, b)).vectors), count: n };
}
