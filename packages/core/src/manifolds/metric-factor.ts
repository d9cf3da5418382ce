/** R of B = RᵀR as maps of tall matrices: with Z = RX the constraint XᵀBX = I is ZᵀZ = I. */

import type { Engine, Operator, Small, Sparse, Tall } from "@expen/linalg";
import { divideLeft, divideLeftTransposed, solveUpper, solveUpperTransposed } from "@expen/linalg/arrays";
import { invertTriangular } from "@expen/linalg/dense";

/** Results go to the first argument, which is another matrix than the second. */
export interface MetricFactor {
  /** Z ← RX */
  apply(Z: Tall, X: Tall): void;
  /** G ← RᵀH */
  applyT(G: Tall, H: Tall): void;
  /** X ← R⁻¹Z */
  solve(X: Tall, Z: Tall): void;
  /** H ← R⁻ᵀG; `Z` is RX for the point X at which G is a gradient */
  solveT(H: Tall, G: Tall, Z?: Tall): void;
  /** the engine of Z, where that is another one */
  readonly space?: Engine;
  /** Z ← RX for the X in Z, which sums of others have left inexact */
  refresh?(Z: Tall): void;
  /** R itself, where B is dense */
  readonly dense?: Small;
}

/** Rows for each column up to which R⁻¹ is formed, n³ flops and 16n² bytes; beyond, the solves of a run take less by substitution. */
const ROWS_PER_COLUMN = 100;

/** Of a dense B. R⁻¹, where it is formed, is so at the first product with it, because a run that begins at its end needs none. */
export function denseFactor(E: Engine, R: Small): MetricFactor {
  const n = R.rows;
  const operator = (M: Small): Operator => E.operator({ rows: n, cols: n, data: E.read(M) });
  let upper: Operator | undefined;
  let inverse: Operator | undefined;
  let entries: Float64Array | undefined;
  let x = new Float64Array(0);
  const product = (): Operator => (upper ??= operator(R));
  function inverseOperator(): Operator {
    if (inverse) return inverse;
    const M = E.small(n, n);
    invertTriangular(E, M, R);
    inverse = operator(M);
    return inverse;
  }
  /** Y ← the substitution of Z; false where R⁻¹ is to be used */
  function substitute(Y: Tall, Z: Tall, by: typeof divideLeft): boolean {
    const { cols } = Z;
    if (n <= ROWS_PER_COLUMN * cols) return false;
    entries ??= E.read(R);
    if (x.length !== n * cols) x = new Float64Array(n * cols);
    E.read(Z, x);
    by(x, cols, entries, n);
    E.write(Y, x);
    return true;
  }
  return {
    apply: (Z, X) => product().apply(Z, X),
    applyT: (G, H) => product().applyT(G, H),
    solve(X, Z) {
      if (!substitute(X, Z, divideLeft)) inverseOperator().apply(X, Z);
    },
    solveT(H, G) {
      if (!substitute(H, G, divideLeftTransposed)) inverseOperator().applyT(H, G);
    },
    dense: R,
  };
}

/** Of a sparse B with PBPᵀ = UᵀU, so that R = UP; row k of PX is row order[k] of X. Substitution runs in host memory. */
export function sparseFactor(E: Engine, U: Sparse, order?: Int32Array): MetricFactor {
  let operator: Operator | undefined;
  const R = (): Operator => (operator ??= E.operator(order ? { ...U, indices: U.indices.map((k) => order[k]!) } : U));
  let [x, permuted] = [new Float64Array(0), new Float64Array(0)];
  /** x ← the numbers of A, with room for as many in other places */
  function read(A: Tall): void {
    const size = A.rows * A.cols;
    if (x.length !== size) [x, permuted] = [new Float64Array(size), new Float64Array(order ? size : 0)];
    E.read(A, x);
  }
  function rowOf(numbers: Float64Array, i: number, cols: number): Float64Array {
    return numbers.subarray(i * cols, (i + 1) * cols);
  }
  return {
    apply: (Z, X) => R().apply(Z, X),
    applyT: (G, H) => R().applyT(G, H),
    solve(X, Z) {
      read(Z);
      solveUpper(U, x, Z.cols);
      if (order) for (const [k, i] of order.entries()) permuted.set(rowOf(x, k, Z.cols), i * Z.cols);
      E.write(X, order ? permuted : x);
    },
    solveT(H, G) {
      read(G);
      if (order) for (const [k, i] of order.entries()) permuted.set(rowOf(x, i, G.cols), k * G.cols);
      const numbers = order ? permuted : x;
      solveUpperTransposed(U, numbers, G.cols);
      E.write(H, numbers);
    },
  };
}
