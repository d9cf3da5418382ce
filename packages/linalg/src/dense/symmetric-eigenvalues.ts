/** Eigenvalues of n×n symmetric matrices to rounding, without eigenvectors: for instances and closed-form minima. */

import { tridiagonalEigenvalue } from "../arrays/tridiagonal-eigenpairs.js";
import { tridiagonalizer } from "../arrays/tridiagonal-form.js";
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Small } from "../contracts/matrix.js";
import { requireSquare } from "../shape.js";
import { eigh } from "./eigh.js";

/** The smallest eigenvalues, ascending, and the largest, descending */
interface Extremes {
  readonly smallest: Float64Array;
  readonly largest: Float64Array;
}

/** All eigenvalues of S = Sᵀ, ascending: by the algebra of E, by its library, or in plain code */
export function eigenvalues(E: Engine, S: Small): Float64Array {
  const p = requireSquare(S, "eigenvalues");
  if (E.factor.eigenvalues) {
    const values = new Float64Array(p);
    E.factor.eigenvalues(values, S);
    return values;
  }
  if (E.factor.library) return eigh(E, S).values;
  return extremeEigenvalues({ rows: p, cols: p, data: E.read(S) }, p, 0).smallest;
}

/**
 * The `low` smallest and `high` largest eigenvalues of S = Sᵀ, error O(ε‖S‖). S is unchanged. Computed by LAPACK if E is given and
 * has it; otherwise by (2/3)·n³ multiply-adds in plain code, with the same bits everywhere.
 */
export function extremeEigenvalues(S: Matrix, low: number, high: number, E?: Engine): Extremes {
  const n = S.rows;
  const value = E?.factor.library ? sorted(E, S) : bisected(S);
  return {
    smallest: Float64Array.from({ length: low }, (_, k) => value(k)),
    largest: Float64Array.from({ length: high }, (_, k) => value(n - 1 - k)),
  };
}

function sorted(E: Engine, S: Matrix): (k: number) => number {
  const values = eigenvalues(E, E.small(S.rows, S.cols, S.data));
  return (k) => values[k]!;
}

function bisected(S: Matrix): (k: number) => number {
  const { d, e } = tridiagonalizer(S.rows)(S.data);
  return (k) => tridiagonalEigenvalue(d, e, S.rows, k);
}

/**
 * λmax(S) − λmin(S) of p×p matrices S = Sᵀ (of E, or in host memory), with scratch that is reused: by the algebra of E, otherwise in
 * plain code with the same bits everywhere, which is as fast as LAPACK with eigenvectors.
 */
export function spectralSpread(p: number, E?: Engine): (S: Small) => number {
  if (E?.factor.eigenvalues && !E.factor.library) {
    return (S) => {
      const w = eigenvalues(E, S);
      return w[p - 1]! - w[0]!;
    };
  }
  const tridiagonalize = tridiagonalizer(p);
  const numbers = new Float64Array(E ? p * p : 0);
  return (S) => {
    const { d, e } = tridiagonalize(E ? E.read(S, numbers) : S.data);
    return tridiagonalEigenvalue(d, e, p, p - 1) - tridiagonalEigenvalue(d, e, p, 0);
  };
}
