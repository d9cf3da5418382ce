import { EngineError } from "../errors.js";
import type { Engine, Matrix, Tridiagonal } from "../types.js";

/**
 * T = L·U for `engine.tridiagonalSolve`: L has 1 on its diagonal and `lower` below it, U has 1/`main` on its diagonal and `upper`
 * beside it. There is no pivoting, so T must be positive definite or diagonally dominant; a zero pivot is an error.
 */
export function tridiagonalFactor(E: Engine, T: Tridiagonal): Tridiagonal {
  const n = T.main.rows;
  const [F, w, U] = [E.matrix(n, 1), E.matrix(n, 1), E.from(T.upper)];
  const [l, d, u] = [T.lower.data, T.main.data, T.upper.data];
  for (let i = 0; i < n; i++) {
    const multiplier = i === 0 ? 0 : l[i]! * w.data[i - 1]!;
    const pivot = i === 0 ? d[0]! : d[i]! - multiplier * u[i - 1]!;
    if (pivot === 0 || !Number.isFinite(pivot)) {
      throw new EngineError(
        `tridiagonalFactor: pivot ${i} is ${pivot}; T must be positive definite or diagonally dominant.`,
      );
    }
    F.data[i] = multiplier;
    w.data[i] = 1 / pivot;
  }
  return { lower: F, main: w, upper: U };
}

/** The n×n matrix with constant diagonals; (−1, 2, −1) is the discrete Laplacian L. */
export function constantTridiagonal(E: Engine, n: number, lower: number, main: number, upper: number): Tridiagonal {
  const constant = (a: number): Matrix => {
    const d = E.matrix(n, 1);
    E.fill(d, a);
    return d;
  };
  return { lower: constant(lower), main: constant(main), upper: constant(upper) };
}
