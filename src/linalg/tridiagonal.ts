import { factorDiagonals } from "../arrays/tridiagonal.js";
import type { Engine, Matrix, Tridiagonal } from "../types.js";

/** The factors of T for `engine.tridiagonalSolve` (arrays/tridiagonal.ts) */
export function tridiagonalFactor(E: Engine, T: Tridiagonal): Tridiagonal {
  const n = T.main.rows;
  const F = factorDiagonals({ lower: T.lower.data, main: T.main.data, upper: T.upper.data });
  return { lower: E.tall(n, 1, F.lower), main: E.tall(n, 1, F.main), upper: E.tall(n, 1, F.upper) };
}

/** The n×n matrix with constant diagonals; (−1, 2, −1) is the discrete Laplacian L. */
export function constantTridiagonal(E: Engine, n: number, lower: number, main: number, upper: number): Tridiagonal {
  const constant = (a: number): Matrix => {
    const d = E.tall(n, 1);
    E.fill(d, a);
    return d;
  };
  return { lower: constant(lower), main: constant(main), upper: constant(upper) };
}
