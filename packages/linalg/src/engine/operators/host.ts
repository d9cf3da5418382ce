/** Linear maps on matrices in host memory: dense, sparse and tridiagonal ones. */
import { isSparse } from "../../arrays/sparse.js";
import { isSymmetric } from "../../arrays/symmetric.js";
import { type Diagonals, factorDiagonals, mapDiagonals, transposeDiagonals } from "../../arrays/tridiagonal.js";
import type { Operator } from "../../contracts/engine.js";
import type { Inspected, Matrix, Sparse, Tridiagonal } from "../../contracts/matrix.js";
import type { OwnDiagonals } from "../checked/tridiagonals.js";
import type { Owned } from "../kernels.js";
import type { OperatorHost } from "./operator-host.js";
import { sparseOperator } from "./sparse.js";

export const isTridiagonal = (A: Matrix | Sparse | Tridiagonal): A is Tridiagonal => "main" in A;

export const hostOperators =
  (host: OperatorHost) =>
  (A: Inspected | Sparse | Tridiagonal): Operator => {
    if (isTridiagonal(A)) return tridiagonalOperator(host, A);
    return isSparse(A) ? sparseOperator(host, A) : denseOperator(host, A);
  };

/** Entries beyond which a symmetric matrix (16 MiB) leaves the cache, so that reading one triangle is faster for few columns */
const LARGE = 2 ** 21;
/** Columns up to which a product counts as one with vectors, bound by memory traffic */
const VECTORS = 2;

/** A dense A, copied into the engine unless it is lent */
function denseOperator({ tall, ofOneKind, product, numbers, isLent }: OperatorHost, A: Inspected): Operator {
  const { rows, cols, symmetric } = A;
  const B = isLent(A) ? A : tall(rows, cols, A.data);
  const large = rows === cols && rows * cols > LARGE;
  if (large && symmetric) (B as Owned).symmetric = true;
  let looked = !large || symmetric !== undefined;
  function multiply(op: string, Y: Matrix, turned: boolean, X: Matrix, a: number, b: number): void {
    if (!looked && X.cols <= VECTORS) {
      looked = true;
      (B as Owned).symmetric = isSymmetric(numbers(B, op, "A"), rows);
    }
    ofOneKind(Y, X, op, "Y and X");
    product(op, Y, B, turned, X, false, a, b);
  }
  return {
    rows,
    cols,
    flops: 2 * rows * cols,
    apply: (Y, X, a = 1, b = 0) => multiply("apply", Y, false, X, a, b),
    applyT: (Y, X, a = 1, b = 0) => multiply("applyT", Y, true, X, a, b),
  };
}

/** T by its diagonals; factors and transpose are computed on first use. */
function tridiagonalOperator(host: OperatorHost, T: Tridiagonal): Operator {
  const n = T.main.rows;
  const plain: Diagonals = mapDiagonals(T, ({ data }) => data.slice());
  const inside = (T: Diagonals): OwnDiagonals => mapDiagonals(T, (data) => host.tall(n, 1, data));
  const D = inside(plain);
  let transposed: OwnDiagonals | undefined;
  let factors: OwnDiagonals | undefined;
  return {
    rows: n,
    cols: n,
    flops: 5 * n,
    apply: (Y, X, a, b) => host.tridiagonal("apply", Y, D, X, a, b),
    applyT: (Y, X, a, b) => host.tridiagonal("applyT", Y, (transposed ??= inside(transposeDiagonals(plain))), X, a, b),
    solve: (Y, X) => host.tridiagonalSolve(Y, (factors ??= inside(factorDiagonals(plain))), X),
    main: D.main,
  };
}
