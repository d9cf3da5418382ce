import type { Engine, Matrix } from "../types.js";
import { blockedCholesky } from "./blocked-cholesky.js";

/** From this size on products of the engine do most of the work, where there is no LAPACK. */
const BLOCKED = 128;

/** S = RᵀR (`E.factor.cholesky`); false where S is not positive definite in floating point. */
export function cholesky(E: Engine, R: Matrix, S: Matrix): boolean {
  if (E.lapack || S.rows <= BLOCKED) return E.factor.cholesky(R, S);
  E.copy(R, S);
  return blockedCholesky(E, R);
}
