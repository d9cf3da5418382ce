/** Matrices of users: dense, sparse, tridiagonal, or a function that multiplies. */
import type { Matrix, MatrixLike, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { checkData, checkSymmetric, operatorOf, ProblemError } from "@expen/linalg";
import {
  isSparse,
  isSymmetric,
  sparseFromTriplets,
  sparseIsSymmetric,
  sparseSymmetricPart,
  symmetricPart,
} from "@expen/linalg/arrays";

/** x ↦ A·x for one vector: a new array, or numbers written into the second argument */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that writes into y returns nothing
export type VectorProduct = (x: Float64Array, y: Float64Array) => ArrayLike<number> | void;
/** Y ← A·X in operations of an engine, for an X with any number of columns */
export interface BlockProduct {
  readonly n: number;
  apply(Y: Tall, X: Tall): void;
}
/** A matrix as users have it */
export type MatrixInput = MatrixLike | Tridiagonal;
/** The same, or a product with it */
export type OperatorInput = MatrixInput | VectorProduct | BlockProduct;

export const isFunction = (A: unknown): A is VectorProduct => typeof A === "function";
export const isBlockProduct = (A: unknown): A is BlockProduct =>
  typeof (Object(A) as BlockProduct).apply === "function";
const isTridiagonal = (A: unknown): A is Tridiagonal => typeof A === "object" && A !== null && "main" in A;

/** `A` as a dense or sparse matrix of finite numbers */
export function readMatrix(name: string, letter: string, A: unknown): Matrix | Sparse {
  const M = isTridiagonal(A) ? sparseOf(A) : operatorOf(name, letter, A as MatrixLike);
  if (M.rows < 1 || M.cols < 1) {
    throw new ProblemError(`${name}: ${letter} is ${M.rows}×${M.cols}; it needs a row and a column at least.`);
  }
  checkData(name, letter, M, M.rows, M.cols);
  return M;
}

/** `A` as a square matrix that equals its transpose to the last bit; rounding of its entries is averaged out */
export function readSymmetric(name: string, letter: string, A: unknown): Matrix | Sparse {
  const M = readMatrix(name, letter, A);
  if (M.rows !== M.cols) {
    throw new ProblemError(
      `${name}: ${letter} is ${M.rows}×${M.cols}; eigenvalues need a square matrix, svds takes any.`,
    );
  }
  try {
    checkSymmetric(name, letter, M);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const advice =
      letter === "B"
        ? "it must be symmetric positive definite; give (B + Bᵀ)/2 if the difference is rounding"
        : "give (A + Aᵀ)/2 if the difference is rounding; of any matrix svds computes singular values";
    throw new ProblemError(`${name}: ${letter} is not symmetric; ${advice}.`, { cause: error });
  }
  if (isSparse(M)) return sparseIsSymmetric(M) ? M : sparseSymmetricPart(M);
  if (isSymmetric(M.data, M.rows)) return M;
  const data = new Float64Array(M.data.length);
  symmetricPart(data, M.data, M.rows);
  return { rows: M.rows, cols: M.cols, data };
}

/** The same matrix in compressed rows */
function sparseOf({ lower, main, upper }: Tridiagonal): Sparse {
  const n = main.rows;
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const add = (row: number, col: number, value: number): void => {
    i.push(row);
    j.push(col);
    values.push(value);
  };
  for (let k = 0; k < n; k++) {
    if (k > 0) add(k, k - 1, lower.data[k]!);
    add(k, k, main.data[k]!);
    if (k + 1 < n) add(k, k + 1, upper.data[k]!);
  }
  return sparseFromTriplets(n, n, i, j, values);
}

/** Every entry of a dense matrix in compressed rows */
export function fullSparse({ rows, cols, data }: Matrix): Sparse {
  const pointers = Int32Array.from({ length: rows + 1 }, (_, i) => i * cols);
  const indices = Int32Array.from({ length: rows * cols }, (_, k) => k % cols);
  return { rows, cols, pointers, indices, values: data };
}
