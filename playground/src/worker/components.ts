/** Principal components from the subspace that a run found. */
import type { Engine } from "expen";
import { centred, eigh } from "expen/internal";
import type { Components, Table } from "../protocol.js";

/** X spans the subspace; its own axes, the eigenvectors V of XᵀCX, are the components: XV, variances descending, scores ÂXV. */
export function components(E: Engine, A: Table, x: Float64Array, p: number): Components {
  const data = centred(A);
  const weight = 1 / Math.max(1, A.rows - 1);
  const D = E.from(data);
  const X = E.from({ rows: A.cols, cols: p, data: x });
  const [Z, S] = [E.matrix(A.rows, p), E.matrix(p, p)];
  E.apply(Z, D, X);
  E.gram(S, Z);
  E.axpby(S, 0, E.matrix(p, p), weight);
  const { values, vectors } = eigh(E, S);
  const [scores, loadings] = [E.matrix(A.rows, p), E.matrix(A.cols, p)];
  E.mul(scores, Z, vectors);
  E.mul(loadings, X, vectors);
  const last = (M: { data: Float64Array }, i: number, j: number): number => M.data[i * p + (p - 1 - j)]!;
  const table = (M: { data: Float64Array }, rows: number): number[][] =>
    Array.from({ length: rows }, (_, i) => Array.from({ length: p }, (_v, j) => last(M, i, j)));
  return {
    variances: [...values].reverse(),
    total: weight * E.dot(D, D),
    scores: table(scores, Math.min(A.rows, 2000)),
    loadings: table(loadings, A.cols),
  };
}
