/** Principal components from the subspace that a run found. */

import { eigh } from "@expen/linalg/dense";
import type { Engine } from "expen";
import { centred } from "expen/problems";
import type { Components, Table } from "../protocol.js";

/** X spans the subspace; its own axes, the eigenvectors V of XᵀCX, are the components: XV, variances descending, scores ÂXV. */
export function components(E: Engine, A: Table, x: Float64Array, p: number): Components {
  const data = centred(A);
  const weight = 1 / Math.max(1, A.rows - 1);
  const X = E.tall(A.cols, p, x);
  const [Z, S] = [E.tall(A.rows, p), E.small(p, p)];
  E.operator(data).apply(Z, X);
  E.gram(S, Z);
  E.combine(S, weight, S, 0, S);
  const { values, vectors } = eigh(E, S);
  const [scores, loadings] = [E.tall(A.rows, p), E.tall(A.cols, p)];
  E.mul(scores, Z, vectors);
  E.mul(loadings, X, vectors);
  /** the first rows, the last column first */
  const table = (M: Float64Array, rows: number): number[][] =>
    Array.from({ length: rows }, (_, i) => Array.from({ length: p }, (_v, j) => M[i * p + (p - 1 - j)]!));
  return {
    variances: [...values].reverse(),
    total: weight * data.data.reduce((s, v) => s + v * v, 0),
    scores: table(E.read(scores), Math.min(A.rows, 2000)),
    loadings: table(E.read(loadings), A.cols),
  };
}
