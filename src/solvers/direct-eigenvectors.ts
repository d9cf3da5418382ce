import { numbersOf } from "../engines/own-matrix.js";
import { denseOf } from "../linalg/dense-of.js";
import { eigh } from "../linalg/eigh.js";
import type { Engine, QuadraticForm, Small, Tall } from "../types.js";
import type { Ends } from "./krylov-ends.js";

/** The identity goes through `apply` in pieces of so many columns. */
const PIECE = 256;

/** X ← the minimiser of ½⟨X, BXC⟩ by a dense factorization of B: exact, O(n³). */
export function directEigenvectors(E: Engine, X: Tall, form: QuadraticForm, ends: Ends): void {
  const { rows: n, cols: p } = X;
  const { matrix } = form;
  const numbers = matrix && "data" in matrix ? numbersOf(E, matrix) : denseOf(E, form.apply, n, PIECE);
  const { v, count } = eigenvectors(E, E.small(n, n, numbers), ends);
  const x = new Float64Array(n * p);
  for (let j = 0; j < p; j++) {
    const from = ends.place(j, n);
    for (let i = 0; i < n; i++) x[i * p + j] = v[i * count + from]!;
  }
  ends.turn(x);
  E.write(X, x);
}

/** Up to this share of all, the lowest eigenvectors are computed alone. */
export const FEW = 0.25;

/** The `count` lowest eigenvectors of B, side by side: all, or those that are wanted where these are few */
function eigenvectors(E: Engine, B: Small, { low, high }: Ends): { v: Float64Array; count: number } {
  const n = B.rows;
  if (E.factor.lowest && high === 0 && low <= FEW * n) {
    const V = E.small(n, low);
    if (E.factor.lowest(V, new Float64Array(low), B)) return { v: E.read(V), count: low };
  }
  return { v: E.read(eigh(E, B).vectors), count: n };
}
