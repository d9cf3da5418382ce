import { numbersOf } from "../engines/own-matrix.js";
import { denseOf } from "../linalg/dense-of.js";
import { eigh } from "../linalg/eigh.js";
import type { Engine, QuadraticForm, Tall } from "../types.js";
import type { Ends } from "./krylov-ends.js";

/** The identity goes through `apply` in pieces of so many columns. */
const PIECE = 256;

/** X ← the minimiser of ½⟨X, BXC⟩ by all eigenvectors of B: exact, O(n³). */
export function directEigenvectors(E: Engine, X: Tall, form: QuadraticForm, ends: Ends): void {
  const { rows: n, cols: p } = X;
  const { matrix } = form;
  const numbers = matrix && "data" in matrix ? numbersOf(E, matrix) : denseOf(E, form.apply, n, PIECE);
  const v = E.read(eigh(E, E.small(n, n, numbers)).vectors);
  const x = new Float64Array(n * p);
  for (let j = 0; j < p; j++) {
    const from = ends.place(j, n);
    for (let i = 0; i < n; i++) x[i * p + j] = v[i * n + from]!;
  }
  ends.turn(x);
  E.write(X, x);
}
