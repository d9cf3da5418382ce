/** Singular triplets of A, at least as tall as wide, with their residuals. */
import type { Result } from "@expen/core";
import { quadraticObjective, stiefel } from "@expen/core";
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { norm, svd } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { columns, plainOf } from "../application.js";
import { type SolveOptions, solveForm } from "./run-options.js";

/** Runs that lower the tolerance of AᵀA until the residuals of A are small */
const RUNS = 3;

/** Singular values ascending, and ‖Hz − σz‖ of the unit vectors z = (u, v)/√2 of H = [0 A; Aᵀ 0], whose eigenvalues are ±σ */
export interface Triplets {
  readonly theta: Float64Array;
  readonly residual: Float64Array;
  readonly U: Matrix;
  readonly V: Matrix;
  /** ‖UᵀU − I‖ + ‖VᵀV − I‖ */
  readonly defect: number;
  readonly products: number;
  readonly run?: Result;
}

export function wholeDecomposition(E: Engine, A: Matrix | Sparse): Triplets {
  const T = tallOf(E, isSparse(A) ? sparseToDense(A) : A);
  const { U, s, V } = svd(E, T);
  return triplets(E, A, U, s, E.tall(A.cols, A.cols, E.read(V)));
}

export async function leadingTriplets(
  E: Engine,
  A: Matrix | Sparse,
  p: number,
  residual: number,
  limits: SolveOptions,
): Promise<Triplets> {
  const { rows: m, cols: n } = A;
  const operator = E.operator(A);
  let products = 0;
  let AX = E.tall(m, 0);
  const f = quadraticObjective(E, n, p, {
    apply(Y, X) {
      if (AX.cols !== X.cols) AX = E.tall(m, X.cols);
      operator.apply(AX, X);
      operator.applyT(Y, AX, -1);
      products += 2 * X.cols;
    },
    flops: 2 * operator.flops,
    symmetric: true,
  });
  const options = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  let tol = residual * normOf(A);
  for (let runs = 1, start: Matrix | undefined; ; runs++) {
    const run = await solveForm(E, f, stiefel(n, p), { ...options, tol, start });
    const [X, V, image] = [tallOf(E, run.X), E.tall(n, p), E.tall(m, p)];
    operator.apply(image, X);
    const { U, s, V: W } = svd(E, image);
    E.mul(V, X, W);
    const answer = { ...triplets(E, A, U, s, V), run };
    const worst = Math.SQRT2 * Math.max(...answer.residual);
    products += 3 * p;
    if (!(worst > residual) || runs === RUNS || run.status !== "converged") return { ...answer, products };
    tol *= 0.5 * (residual / worst);
    start = run.X;
  }
}

function triplets(E: Engine, A: Matrix | Sparse, U: Tall, s: Float64Array, V: Tall): Omit<Triplets, "run"> {
  const q = s.length;
  const operator = E.operator(A);
  const [R, Z] = [E.tall(A.rows, q), E.tall(A.cols, q)];
  operator.apply(R, V);
  operator.applyT(Z, U);
  const S = E.small(
    q,
    q,
    Float64Array.from({ length: q * q }, (_, k) => (k % (q + 1) === 0 ? s[k % q]! : 0)),
  );
  E.mul(R, U, S, -1, 1);
  E.mul(Z, V, S, -1, 1);
  const [ofU, ofV, G] = [E.small(q, q), E.small(q, q), E.small(q, q)];
  E.gram(ofU, R);
  E.gram(ofV, Z);
  const [a, b] = [E.read(ofU), E.read(ofV)];
  const last = q - 1;
  /** from descending values to ascending ones */
  const turned = Array.from({ length: q }, (_, j) => last - j);
  let defect = 0;
  for (const Q of [U, V]) {
    E.gram(G, Q);
    E.addDiagonal(G, -1);
    defect += norm(E, G);
  }
  return {
    theta: Float64Array.from(turned, (j) => s[j]!),
    residual: Float64Array.from(turned, (j) => Math.sqrt((a[j * (q + 1)]! + b[j * (q + 1)]!) / 2)),
    U: columns(plainOf(E, U), turned),
    V: columns(plainOf(E, V), turned),
    defect,
    products: 2 * q,
  };
}

/** √(‖A‖₁‖A‖_∞) ≥ ‖A‖₂ */
export function normOf(A: Matrix | Sparse): number {
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
