/** Products and systems with a tridiagonal T whose diagonals are matrices of the engine, for its operator */
import type { Matrix, Tall } from "../../contracts/matrix.js";
import type { Owned } from "../kernels.js";
import { type Base, scale } from "./given.js";

/** The diagonals of T, or of its factors (arrays/tridiagonal.ts), n×1 each */
export interface OwnDiagonals {
  readonly lower: Tall;
  readonly main: Tall;
  readonly upper: Tall;
}

export interface Tridiagonals {
  /** Y ← a·T·X + b·Y */
  tridiagonal(op: string, Y: Matrix, T: OwnDiagonals, X: Matrix, a?: number, b?: number): void;
  /** Y ← T⁻¹·X for the factors of T */
  tridiagonalSolve(Y: Matrix, F: OwnDiagonals, X: Matrix): void;
}

export function tridiagonals(base: Base): Tridiagonals {
  const { kernels: k, counters, own, same, alike, apart } = base;

  function expectFit(op: string, Y: Matrix, { main }: OwnDiagonals, X: Matrix): void {
    own(Y, op, "Y");
    own(X, op, "X");
    apart(Y, X, op, "X");
    same(X, main.rows, X.cols, op, "X", "as many rows as T");
    alike(Y, X, op, "Y", "the shape of X");
  }

  return {
    tridiagonal(op, Y, T, X, a = 1, b = 0) {
      expectFit(op, Y, T, X);
      const size = X.rows * X.cols;
      if (size === 0) return;
      counters.entries += 3 * size;
      if (a === 0) scale(base, size, b, Y as Owned);
      else {
        const { lower, main, upper } = T;
        k.tridiagonal(X.rows, X.cols, a, lower as Owned, main as Owned, upper as Owned, X as Owned, b, Y as Owned);
      }
    },

    tridiagonalSolve(Y, F, X) {
      expectFit("solve", Y, F, X);
      if (X.rows * X.cols === 0) return;
      counters.entries += 4 * X.rows * X.cols;
      const { lower, main, upper } = F;
      k.tridiagonalSolve(X.rows, X.cols, lower as Owned, main as Owned, upper as Owned, X as Owned, Y as Owned);
    },
  };
}
