import type { Engine, Matrix } from "../types.js";

/** S = RᵀR (`E.factor.cholesky`); false where S is not positive definite in floating point. */
export const cholesky = (E: Engine, R: Matrix, S: Matrix): boolean => E.factor.cholesky(R, S);
