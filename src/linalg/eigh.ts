import { requireShape, requireSquare } from "../shape.js";
import type { Engine, Factorizations, Small } from "../types.js";

/** S = V·Diag(w)·Vᵀ with w ascending and the eigenvectors as the columns of V. S is taken as (S + Sᵀ)/2. */
export type EigenSolver = Factorizations["eigh"];

export function eigenSolver(E: Engine, p: number): EigenSolver {
  return (V, w, S) => {
    requireShape(S, p, p, "eigh", "S");
    E.factor.eigh(V, w, S);
  };
}

/** One decomposition, with everything made for it. */
export function eigh(E: Engine, S: Small): { values: Float64Array; vectors: Small } {
  const p = requireSquare(S, "eigh");
  const [values, vectors] = [new Float64Array(p), E.small(p, p)];
  E.factor.eigh(vectors, values, S);
  return { values, vectors };
}
