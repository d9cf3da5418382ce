import { EngineError } from "../errors.js";
import type { Engine, Lapack, Matrix } from "../types.js";
import { qlSolver } from "./implicit-ql.js";
import { maxAbs, requireShape, requireSquare, transpose, unitScale } from "./scale.js";

/** S = V·Diag(w)·Vᵀ with w ascending and the eigenvectors as the columns of V. S is taken as (S + Sᵀ)/2. */
export type EigenSolver = (V: Matrix, w: Float64Array, S: Matrix) => void;

/** The scratch is made here, once. */
export function eigenSolver(E: Engine, p: number): EigenSolver {
  const solve = E.lapack ? byLapack(E, E.lapack, p) : qlSolver(p);
  return (V, w, S) => {
    requireShape(S, p, p, "eigh", "S");
    requireShape(V, p, p, "eigh", "V");
    // scaled by a power of two, which is exact: no square overflows or underflows
    const c = unitScale(maxAbs(S, "eigh"));
    if (p === 0) return;
    solve(V, w, S, c);
    for (let j = 0; j < p; j++) w[j]! /= c;
  };
}

/** The same for c·S. */
function byLapack(E: Engine, { syevd }: Lapack, p: number): ReturnType<typeof qlSolver> {
  const [A, values] = [E.matrix(p, p), E.matrix(p, 1)];
  return (V, w, S, c) => {
    E.axpby(A, c, S, 0);
    E.symmetrize(A);
    const info = syevd(A, values);
    if (info !== 0) throw new EngineError(`eigh: LAPACK's dsyevd failed with info = ${info} on a ${p}×${p} matrix.`);
    transpose(V, A);
    w.set(values.data);
  };
}

/** One decomposition, with everything made for it. In a loop, take `eigenSolver`. */
export function eigh(E: Engine, S: Matrix): { values: Float64Array; vectors: Matrix } {
  const p = requireSquare(S, "eigh");
  const [values, vectors] = [new Float64Array(p), E.matrix(p, p)];
  eigenSolver(E, p)(vectors, values, S);
  return { values, vectors };
}
