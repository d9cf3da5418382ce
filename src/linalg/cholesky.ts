import type { Engine, Matrix } from "../types.js";
import { blockedCholesky } from "./blocked-cholesky.js";
import { requireSquare } from "./scale.js";

/** From this size on products of the engine do most of the work. */
const BLOCKED = 128;

/**
 * S = RᵀR with R upper triangular and a positive diagonal. Only the upper triangle of S is read.
 * Returns false, with R of no use, where S is not positive definite in floating point (or holds NaN).
 */
export function cholesky(E: Engine, R: Matrix, S: Matrix): boolean {
  const p = requireSquare(S, "cholesky");
  E.copy(R, S);
  if (p === 0) return true;
  if (E.lapack) {
    if (E.lapack.potrf(R) !== 0) return false;
    const r = R.data;
    // optimised dpotrf let NaN and infinity pass
    for (let i = 0; i < p * p; i += p + 1) if (!(r[i]! > 0 && r[i]! < Number.POSITIVE_INFINITY)) return false;
    return true;
  }
  return p > BLOCKED ? blockedCholesky(E, R) : outerProduct(R.data, p);
}

/** Row k of R, then S ← S − (row k)ᵀ(row k) on what remains: all accesses run along rows. */
function outerProduct(r: Float64Array, p: number): boolean {
  for (let k = 0; k < p; k++) {
    const pivot = r[k * p + k]!;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return false;
    const root = Math.sqrt(pivot);
    r[k * p + k] = root;
    for (let j = k + 1; j < p; j++) r[k * p + j]! /= root;
    for (let i = k + 1; i < p; i++) {
      const t = r[k * p + i]!;
      r[i * p + k] = 0;
      for (let j = i; j < p; j++) r[i * p + j]! -= t * r[k * p + j]!;
    }
  }
  return true;
}
