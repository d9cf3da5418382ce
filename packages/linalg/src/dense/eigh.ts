import type { Engine } from "../contracts/engine.js";
import type { Small } from "../contracts/matrix.js";
import { requireSquare } from "../shape.js";

/** S = V·Diag(w)·Vᵀ by `E.factor.eigh`, in new matrices */
export function eigh(E: Engine, S: Small): { values: Float64Array; vectors: Small } {
  const p = requireSquare(S, "eigh");
  const [values, vectors] = [new Float64Array(p), E.small(p, p)];
  E.factor.eigh(vectors, values, S);
  return { values, vectors };
}

/** Largest p/n for which LAPACK computes the p lowest eigenvectors alone faster than all n */
export const PARTIAL_EIGENSOLVE_SHARE: number = 1 / 3;
