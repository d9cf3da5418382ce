/** A − λB on an engine, A symmetric and B symmetric positive definite or absent: products with A and B, and their sizes. */
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { digits, ProblemError, random } from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import { lanczos } from "@expen/linalg/dense";
import { type BlockProduct, isBlockProduct, isFunction, readSymmetric, type VectorProduct } from "./read-matrix.js";

export interface Pencil {
  readonly E: Engine;
  readonly n: number;
  readonly A: Product;
  /** absent where B = I */
  readonly B?: Product;
  /** B⁻¹, where it is given beside a B that is a function */
  readonly inverse?: Pick<Product, "apply" | "norm">;
  /** products with A, in columns */
  readonly count: { products: number };
}

export interface Product {
  /** Y ← A·X */
  apply(Y: Tall, X: Tall): void;
  /** of a product with one column */
  readonly flops: number;
  /** its entries in host memory, equal to the transpose to the last bit; absent for a function */
  readonly matrix?: Matrix | Sparse;
  /** an upper bound of the spectral norm; of a function, an estimate by products */
  readonly norm: number;
  /** the most products that a sum in a product with a column has */
  readonly terms: number;
}

/** `solve`: X ↦ B⁻¹X */
export function pencilOf(
  E: Engine,
  name: string,
  A: unknown,
  B: unknown,
  size: number | undefined,
  solve?: VectorProduct | BlockProduct,
): Pencil {
  const count = { products: 0 };
  const ofA = isProduct(A) ? ofFunction(E, name, "A", A, size) : ofMatrix(E, readSymmetric(name, "A", A));
  const n = ofA.n;
  if (size !== undefined && size !== n)
    throw new ProblemError(`${name}: n is ${size} but A is ${n}×${n}; leave n out.`);
  const counted: Product = {
    ...ofA.product,
    apply(Y, X) {
      count.products += X.cols;
      ofA.product.apply(Y, X);
    },
  };
  if (solve && !isProduct(B))
    throw new ProblemError(`${name}: solve is x ↦ B⁻¹x beside a B that is a function; leave it out.`);
  if (B === undefined) return { E, n, A: counted, count };
  const ofB = isProduct(B) ? ofFunction(E, name, "B", B, n) : ofMatrix(E, readSymmetric(name, "B", B));
  if (ofB.n !== n) throw new ProblemError(`${name}: B is ${ofB.n}×${ofB.n} but A is ${n}×${n}.`);
  const pencil = { E, n, A: counted, B: ofB.product, count };
  if (!solve) return pencil;
  const inverse = ofFunction(E, name, "solve", solve, n).product;
  requireInverse(E, name, n, ofB.product, inverse);
  return { ...pencil, inverse };
}

/** Largest ‖B·solve(u) − u‖ over ‖u‖ however large the condition number is: 2·B⁻¹ would give other bounds. */
const INEXACT = 0.01;

/** Throws unless B·solve(u) = u for random u. */
function requireInverse(E: Engine, name: string, n: number, B: Product, inverse: Product): void {
  const [U, V, W] = [E.tall(n, TESTS), E.tall(n, TESTS), E.tall(n, TESTS)];
  E.write(U, random(1, "inverse").normal);
  inverse.apply(V, U);
  B.apply(W, V);
  E.combine(W, -1, U, 1, W);
  const error = Math.sqrt(E.dot(W, W) / E.dot(U, U));
  if (!(error <= Math.min(ALLOWED * B.norm * inverse.norm, INEXACT)))
    throw new ProblemError(`${name}: solve is not the inverse of B: ‖B·solve(u) − u‖ is ${digits(error, 2)}·‖u‖.`);
}

/** Norms beyond which squares of products over- or underflow */
const [LEAST_NORM, MOST_NORM] = [1e-75, 1e75];

export const isInScale = (norm: number): boolean => norm === 0 || (norm > LEAST_NORM && norm < MOST_NORM);

/** Throws where numbers are so large, or so small, that iterations over- or underflow. */
export function requireScale(name: string, letter: string, norm: number): void {
  if (isInScale(norm)) return;
  const what = norm < 1 ? "under" : "over";
  throw new ProblemError(
    `${name}: ‖${letter}‖ is about ${digits(norm, 2)}, whose squares ${what}flow; scale ${letter} by a power of ten.`,
  );
}

export const isProduct = (A: unknown): A is VectorProduct | BlockProduct => isFunction(A) || isBlockProduct(A);

function ofMatrix(E: Engine, matrix: Matrix | Sparse): { n: number; product: Product } {
  const operator = E.operator(isSparse(matrix) ? matrix : { ...matrix, symmetric: true });
  const { norm, terms } = rowSums(matrix);
  return {
    n: matrix.rows,
    product: { apply: (Y, X) => operator.apply(Y, X), flops: operator.flops, matrix, norm, terms },
  };
}

/** ‖M‖_∞ ≥ ‖M‖₂ of a symmetric M, and the most entries in a row */
function rowSums(M: Matrix | Sparse): { norm: number; terms: number } {
  const n = M.rows;
  let [norm, terms] = [0, 0];
  const [numbers, begin] = isSparse(M)
    ? [M.values, (i: number) => M.pointers[i]!]
    : [M.data, (i: number) => i * M.cols];
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = begin(i); k < begin(i + 1); k++) sum += Math.abs(numbers[k]!);
    norm = Math.max(norm, sum);
    terms = Math.max(terms, begin(i + 1) - begin(i));
  }
  return { norm, terms };
}

/** Columns of the tests of a function */
const TESTS = 4;
/** Largest difference of a function from a linear and from a symmetric one, relative to its products */
const ALLOWED = 1e-9;

function ofFunction(
  E: Engine,
  name: string,
  letter: "A" | "B" | "solve",
  A: VectorProduct | BlockProduct,
  size: number | undefined,
): { n: number; product: Product } {
  const n = isFunction(A) ? size : A.n;
  if (n === undefined || !Number.isInteger(n) || n < 1) {
    const [what, how] = isFunction(A)
      ? ["n", "give { n }, its size"]
      : [`${letter}.n`, "it must be a whole number, 1 or more"];
    throw new ProblemError(`${name}: ${letter} is a function and ${what} is ${n}; ${how}.`);
  }
  const apply = isFunction(A) ? byColumns(E, name, letter, A, n) : (Y: Tall, X: Tall) => A.apply(Y, X);
  const norm = checkedNorm(E, name, letter, apply, n);
  return { n, product: { apply, flops: 2 * n * n, norm, terms: n } };
}

/** Y ← A·X for a function of one vector */
function byColumns(E: Engine, name: string, letter: string, A: VectorProduct, n: number): Product["apply"] {
  if (E.ranks)
    throw new ProblemError(
      `${name}: ${letter} is a function of a whole vector, whose rows are distributed; give { n, apply(Y, X) }.`,
    );
  const [x, y] = [new Float64Array(n), new Float64Array(n)];
  return (Y, X) => {
    const p = X.cols;
    const [from, to] = [E.read(X), new Float64Array(n * p)];
    for (let j = 0; j < p; j++) {
      for (let i = 0; i < n; i++) x[i] = from[i * p + j]!;
      y.fill(0);
      const image = A(x, y) ?? y;
      if (image instanceof Promise)
        throw new ProblemError(`${name}: ${letter}(x) is a promise; give a function that is not async.`);
      if (image.length !== n)
        throw new ProblemError(`${name}: ${letter}(x) has ${image.length} numbers for an x of ${n}.`);
      for (let i = 0; i < n; i++) to[i * p + j] = image[i]!;
    }
    E.write(Y, to);
  };
}

/** Lanczos steps that estimate ‖A‖₂ */
const STEPS = 12;

/** An estimate of ‖A‖₂; throws unless A is linear, symmetric and finite, and B positive, on random vectors. */
function checkedNorm(E: Engine, name: string, letter: "A" | "B" | "solve", apply: Product["apply"], n: number): number {
  const { normal } = random(1, "eigs");
  const [U, AU, V, AV] = [0, 1, 2, 3].map(() => E.tall(n, TESTS)) as [Tall, Tall, Tall, Tall];
  E.write(U, normal);
  E.write(V, normal);
  apply(AU, U);
  apply(AV, V);
  const [a, b] = [E.dot(AU, AU), E.dot(AV, AV)];
  if (!Number.isFinite(a + b)) throw new ProblemError(`${name}: ${letter}(x) has numbers that are not finite.`);
  const [uAv, vAu] = [E.dot(U, AV), E.dot(V, AU)];
  const size = Math.sqrt(a * E.dot(V, V)) + Math.sqrt(b * E.dot(U, U));
  if (Math.abs(uAv - vAu) > ALLOWED * size) {
    const [left, right] = [uAv, vAu].map((value) => value.toPrecision(6));
    throw new ProblemError(
      `${name}: ${letter} is not symmetric: ⟨u, ${letter}·v⟩ = ${left} but ⟨${letter}·u, v⟩ = ${right}.`,
    );
  }
  if (letter !== "A" && !(E.dot(U, AU) > 0 && E.dot(V, AV) > 0)) {
    throw new ProblemError(
      `${name}: ${letter} is singular or indefinite: ⟨u, ${letter}·u⟩ ≤ 0 for some u; it must be positive definite.`,
    );
  }
  // A(u + 2v) − A(u) − 2A(v)
  E.combine(U, 1, U, 2, V);
  const W = E.tall(n, TESTS);
  apply(W, U);
  E.combine(AU, 1, AU, 2, AV);
  E.combine(W, -1, AU, 1, W);
  if (E.dot(W, W) > ALLOWED ** 2 * (a + 4 * b)) {
    throw new ProblemError(
      `${name}: ${letter} is not linear: ${letter}(u + 2v) differs from ${letter}(u) + 2${letter}(v).`,
    );
  }
  return lanczos(E, n, 1, apply, () => {}, { steps: STEPS }).lowest.scale;
}
