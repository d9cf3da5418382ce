/** A matrix of any shape on an engine, turned so that it is at least as tall as wide: products with it and its transpose. */
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { ProblemError, plainTranspose, random } from "@expen/linalg";
import { isSparse, sparseTranspose } from "@expen/linalg/arrays";
import { lanczos } from "@expen/linalg/dense";
import { type MatrixInput, readMatrix } from "./read-matrix.js";

/** Products with vectors, by functions that return new arrays */
export interface VectorProducts {
  readonly rows: number;
  readonly cols: number;
  /** A·x */
  times(x: Float64Array): ArrayLike<number>;
  /** Aᵀ·y */
  timesTransposed(y: Float64Array): ArrayLike<number>;
}
/** Y ← A·X and Y ← Aᵀ·X in operations of an engine, for an X with any number of columns */
export interface BlockProducts {
  readonly rows: number;
  readonly cols: number;
  apply(Y: Tall, X: Tall): void;
  applyT(Y: Tall, X: Tall): void;
}
/** A matrix as users have it, or products with it and its transpose */
export type RectangularInput = MatrixInput | VectorProducts | BlockProducts;

export interface Rectangular {
  readonly E: Engine;
  /** rows ≥ cols */
  readonly rows: number;
  readonly cols: number;
  /** whether this is the transpose of the user's A */
  readonly isTurned: boolean;
  apply(Y: Tall, X: Tall): void;
  applyT(Y: Tall, X: Tall): void;
  /** of a product with one column */
  readonly flops: number;
  /** its entries in host memory; absent for functions */
  readonly matrix?: Matrix | Sparse;
  /** an upper bound of the spectral norm; of functions an estimate by products */
  readonly norm: number;
  /** products with A and Aᵀ so far, in columns */
  readonly count: { products: number };
}

export function rectangularOf(E: Engine, name: string, A: unknown): Rectangular {
  const one = isProducts(A) ? ofFunctions(E, name, A) : ofMatrix(E, readMatrix(name, "A", A));
  const count = { products: 0 };
  const counted = (apply: Rectangular["apply"]): Rectangular["apply"] => {
    return (Y, X) => {
      count.products += X.cols;
      apply(Y, X);
    };
  };
  return { ...one, apply: counted(one.apply), applyT: counted(one.applyT), count };
}

const isProducts = (A: unknown): A is VectorProducts | BlockProducts =>
  typeof A === "object" && A !== null && ("times" in A || "applyT" in A || "apply" in A);

function ofMatrix(E: Engine, A: Matrix | Sparse): Omit<Rectangular, "count"> {
  const isTurned = A.rows < A.cols;
  const matrix = isTurned ? (isSparse(A) ? sparseTranspose(A) : plainTranspose(A)) : A;
  const operator = E.operator(matrix);
  return {
    E,
    rows: matrix.rows,
    cols: matrix.cols,
    isTurned,
    apply: (Y, X) => operator.apply(Y, X),
    applyT: (Y, X) => operator.applyT(Y, X),
    flops: operator.flops,
    matrix,
    norm: normOf(matrix),
  };
}

/** √(‖A‖₁‖A‖_∞) ≥ ‖A‖₂ */
function normOf(A: Matrix | Sparse): number {
  const [ofRows, ofColumns] = [new Float64Array(A.rows), new Float64Array(A.cols)];
  const add = (i: number, j: number, value: number): void => {
    ofRows[i]! += Math.abs(value);
    ofColumns[j]! += Math.abs(value);
  };
  if (isSparse(A)) {
    for (let i = 0; i < A.rows; i++) {
      for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) add(i, A.indices[k]!, A.values[k]!);
    }
  } else A.data.forEach((value, k) => void add(Math.floor(k / A.cols), k % A.cols, value));
  const largest = (values: Float64Array): number => values.reduce((most, v) => Math.max(most, v), 0);
  return Math.sqrt(largest(ofRows) * largest(ofColumns));
}

/** Lanczos steps that estimate ‖AᵀA‖ */
const STEPS = 12;

function ofFunctions(E: Engine, name: string, A: VectorProducts | BlockProducts): Omit<Rectangular, "count"> {
  for (const [what, size] of [["rows", A.rows] as const, ["cols", A.cols] as const]) {
    if (!Number.isInteger(size) || size < 1)
      throw new ProblemError(`${name}: A.${what} is ${size}; it must be a whole number, 1 or more.`);
  }
  const methods = A as Partial<VectorProducts & BlockProducts>;
  const methodNames = "times" in A ? (["times", "timesTransposed"] as const) : (["apply", "applyT"] as const);
  for (const method of methodNames) {
    if (typeof methods[method] !== "function")
      throw new ProblemError(`${name}: A.${method} is missing; give products with A and with its transpose.`);
  }
  const [forward, backward] =
    "times" in A
      ? [byColumns(E, name, "times", A.times, A.rows), byColumns(E, name, "timesTransposed", A.timesTransposed, A.cols)]
      : [(Y: Tall, X: Tall) => A.apply(Y, X), (Y: Tall, X: Tall) => A.applyT(Y, X)];
  const isTurned = A.rows < A.cols;
  const [apply, applyT] = isTurned ? [backward, forward] : [forward, backward];
  const [rows, cols] = [Math.max(A.rows, A.cols), Math.min(A.rows, A.cols)];
  checkAdjoint(E, name, { rows, cols, apply, applyT });
  const squares = (Y: Tall, X: Tall): void => {
    const Z = E.tall(rows, X.cols);
    apply(Z, X);
    applyT(Y, Z);
  };
  const square = lanczos(E, cols, 1, squares, () => {}, { steps: STEPS }).lowest.scale;
  return { E, rows, cols, isTurned, apply, applyT, flops: 2 * rows * cols, norm: Math.sqrt(square) };
}

/** Y ← the products of a function with the columns of X */
function byColumns(
  E: Engine,
  name: string,
  method: string,
  product: (x: Float64Array) => ArrayLike<number>,
  length: number,
): Rectangular["apply"] {
  if (E.ranks)
    throw new ProblemError(
      `${name}: A.${method} takes a whole vector, whose rows are distributed; give { rows, cols, apply(Y, X), applyT(Y, X) }.`,
    );
  return (Y, X) => {
    const [n, p] = [X.rows, X.cols];
    const [from, to] = [E.read(X), new Float64Array(length * p)];
    for (let j = 0; j < p; j++) {
      const image = product(Float64Array.from({ length: n }, (_, i) => from[i * p + j]!));
      if (image?.length !== length) {
        throw new ProblemError(`${name}: A.${method} returns ${image?.length ?? "no"} numbers; it must be ${length}.`);
      }
      for (let i = 0; i < length; i++) to[i * p + j] = image[i]!;
    }
    E.write(Y, to);
  };
}

/** Largest difference of the two products from those of one matrix, relative to their sizes */
const ALLOWED = 1e-9;

/** Throws unless ⟨y, A·x⟩ = ⟨Aᵀ·y, x⟩ for random x and y, finite. */
function checkAdjoint(
  E: Engine,
  name: string,
  { rows, cols, apply, applyT }: Pick<Rectangular, "rows" | "cols" | "apply" | "applyT">,
): void {
  const { normal } = random(1, "svds");
  const [X, Y, AX, AtY] = [E.tall(cols, 1), E.tall(rows, 1), E.tall(rows, 1), E.tall(cols, 1)];
  E.write(X, normal);
  E.write(Y, normal);
  apply(AX, X);
  applyT(AtY, Y);
  const [one, other] = [E.dot(Y, AX), E.dot(AtY, X)];
  if (!Number.isFinite(one + other))
    throw new ProblemError(`${name}: products with A have numbers that are not finite.`);
  const size = Math.sqrt(E.dot(AX, AX) * E.dot(Y, Y)) + Math.sqrt(E.dot(AtY, AtY) * E.dot(X, X));
  if (Math.abs(one - other) > ALLOWED * size) {
    const [left, right] = [one, other].map((value) => value.toPrecision(6));
    throw new ProblemError(
      `${name}: the products are not those of a matrix and its transpose: ⟨y, A·x⟩ = ${left} but ⟨Aᵀ·y, x⟩ = ${right}.`,
    );
  }
}
