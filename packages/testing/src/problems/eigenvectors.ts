import type { Matrix } from "@expen/linalg";
import { EigenvalueDecomposition, Matrix as Ml } from "ml-matrix";

/** Eigenvalues ascending and eigenvectors as columns by an independent library. */
export function eigen({ rows: n, data }: Matrix): { values: number[]; vector: (k: number) => number[] } {
  const S = Ml.from1DArray(n, n, Array.from(data));
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(S, { assumeSymmetric: true });
  const order = realEigenvalues.map((_, k) => k).sort((a, b) => realEigenvalues[a]! - realEigenvalues[b]!);
  return { values: order.map((k) => realEigenvalues[k]!), vector: (k) => eigenvectorMatrix.getColumn(order[k]!) };
}

/** The plain n×p matrix with these columns. */
export function columns(list: number[][]): Matrix {
  const [n, p] = [list[0]!.length, list.length];
  const data = new Float64Array(n * p);
  list.forEach((column, j) => {
    column.forEach((v, i) => {
      data[i * p + j] = v;
    });
  });
  return { rows: n, cols: p, data };
}
