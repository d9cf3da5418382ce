/** Linear maps on matrices in host memory: dense, sparse and tridiagonal ones. */
import { isSparse, sparseApply, sparseTranspose } from "../../arrays/sparse.js";
import { type Diagonals, factorDiagonals, transposeDiagonals } from "../../arrays/tridiagonal.js";
import type { Engine, Matrix, Operator, Sparse, Tall, Tridiagonal } from "../../types.js";
import type { Product } from "../checked/contractions.js";
import type { OwnDiagonals, Tridiagonals } from "../checked/tridiagonals.js";
import type { Checks } from "../checks.js";

/** What operators take of the engine that makes them. Everything is checked by it. */
interface OperatorHost extends Pick<Engine, "combine" | "counters" | "tall">, Pick<Checks, "ofOneKind">, Tridiagonals {
  /** The numbers of a matrix of the engine, in place */
  numbers(M: Matrix, op: string, letter: string): Float64Array;
  readonly product: Product;
}

export const isTridiagonal = (A: Matrix | Sparse | Tridiagonal): A is Tridiagonal => "main" in A;

export const hostOperators =
  (host: OperatorHost) =>
  (A: Matrix | Sparse | Tridiagonal): Operator => {
    if (isTridiagonal(A)) return tridiagonalOperator(host, A);
    return isSparse(A) ? sparseOperator(host, A) : denseOperator(host, A);
  };

/** A dense A, copied into the engine */
function denseOperator({ tall, ofOneKind, product }: OperatorHost, A: Matrix): Operator {
  const { rows, cols } = A;
  const B = tall(rows, cols, A.data);
  function multiply(op: string, Y: Matrix, turned: boolean, X: Matrix, a: number, b: number): void {
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

/** A sparse A stays outside of the engine and works on the engine's numbers directly. Aᵀ is made when it is first needed. */
function sparseOperator({ numbers, ofOneKind, counters }: OperatorHost, A: Sparse): Operator {
  const flops = 2 * A.values.length;
  let transposed: Sparse | undefined;
  function multiply(op: string, Y: Matrix, B: Sparse, X: Matrix, a: number, b: number): void {
    const y = { rows: Y.rows, cols: Y.cols, data: numbers(Y, op, "Y") };
    const x = { rows: X.rows, cols: X.cols, data: numbers(X, op, "X") };
    ofOneKind(Y, X, op, "Y and X");
    sparseApply(y, B, Y === X ? y : x, a, b);
    counters.flops += flops * X.cols;
  }
  return {
    rows: A.rows,
    cols: A.cols,
    flops,
    apply: (Y, X, a = 1, b = 0) => multiply("apply", Y, A, X, a, b),
    applyT: (Y, X, a = 1, b = 0) => multiply("applyT", Y, (transposed ??= sparseTranspose(A)), X, a, b),
  };
}

/** T by its diagonals. Its factors and its transpose are made when they are first needed. */
function tridiagonalOperator(host: OperatorHost, T: Tridiagonal): Operator {
  const n = T.main.rows;
  const plain: Diagonals = { lower: T.lower.data.slice(), main: T.main.data.slice(), upper: T.upper.data.slice() };
  const inside = ({ lower, main, upper }: Diagonals): OwnDiagonals => ({
    lower: host.tall(n, 1, lower),
    main: host.tall(n, 1, main),
    upper: host.tall(n, 1, upper),
  });
  const D = inside(plain);
  let transposed: OwnDiagonals | undefined;
  let factors: OwnDiagonals | undefined;
  /** D with another main diagonal */
  let raised: OwnDiagonals | undefined;
  return {
    rows: n,
    cols: n,
    flops: 5 * n,
    apply: (Y, X, a, b) => host.tridiagonal("apply", Y, D, X, a, b),
    applyT: (Y, X, a, b) => host.tridiagonal("applyT", Y, (transposed ??= inside(transposeDiagonals(plain))), X, a, b),
    solve: (Y, X) => host.tridiagonalSolve(Y, (factors ??= inside(factorDiagonals(plain))), X),
    applyWithDiagonal(Y, r, X) {
      raised ??= { ...D, main: host.tall(n, 1, plain.main) };
      host.combine(raised.main, 1, D.main, 1, r as Tall);
      host.tridiagonal("applyWithDiagonal", Y, raised, X);
    },
  };
}
