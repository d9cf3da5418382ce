import type { Engine, Small } from "../types.js";

/** S = RᵀR (`E.factor.cholesky`); false where S is not positive definite in floating point. */
export const cholesky = (E: Engine, R: Small, S: Small): boolean => E.factor.cholesky(R, S);
