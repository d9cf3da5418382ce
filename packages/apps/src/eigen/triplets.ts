/** Singular triplets of A, at least as tall as wide, with their residuals. */
import type { Result } from "@expen/core";
import { quadraticObjective, stiefel } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { norm, svd } from "@expen/linalg/dense";
import { copyOfRows, tallOf } from "@expen/linalg/engine";
import { columns } from "../application.js";
import { topSubspace } from "../top-subspace.js";
import { fromRows } from "./own-rows.js";
import { isInScale } from "./pencil.js";
import type { Rectangular } from "./rectangular.js";
import { type RunOptions, solveForm } from "./run-options.js";

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
  readonly run?: Result;
}

export function wholeDecomposition(A: Rectangular): Triplets {
  const { E, matrix, cols } = A;
  const T = matrix ? tallOf(E, isSparse(matrix) ? sparseToDense(matrix) : matrix) : byIdentity(A);
  const { U, s, V } = svd(E, T);
  return tripletsOf(A, U, s, E.tall(cols, cols, E.read(V)));
}

/** Rows over columns from which AᵀA takes less time than a decomposition of A */
const TALL = 2;

/** Residuals over ‖A‖ up to which squares have lost few digits */
export const NEAR_ROUNDING = 1e-12;

/**
 * The p largest of a tall dense matrix by eigenvectors of AᵀA, whose rounding leaves residuals of about ε·‖A‖²/σ; undefined where A is
 * another matrix, or where a decomposition of A has more digits.
 */
export function largestOfTall(A: Rectangular, p: number): Triplets | undefined {
  const { E, matrix, rows, cols } = A;
  if (!matrix || isSparse(matrix) || rows < TALL * cols || !isInScale(A.norm)) return undefined;
  const triplets = tripletsOn(A, tallOf(E, topSubspace(E, matrix, p)));
  return Math.max(...triplets.residual) <= NEAR_ROUNDING * A.norm ? triplets : undefined;
}

/** The entries of A by products with the columns of the identity */
function byIdentity({ E, rows, cols, apply }: Rectangular): Tall {
  const numbers = Float64Array.from({ length: cols * cols }, (_, k) => (k % (cols + 1) === 0 ? 1 : 0));
  const T = E.tall(rows, cols);
  apply(T, E.tall(cols, cols, numbers));
  return T;
}

/** The largest, or the smallest ones, from Krylov spaces of AᵀA, or by Davidson's method with a preconditioner */
export async function tripletsByProducts(
  A: Rectangular,
  p: number,
  which: "smallest" | "largest",
  residual: number,
  o: Omit<RunOptions, "tol">,
): Promise<Triplets> {
  const { E, rows: m, cols: n } = A;
  let AX = E.tall(m, 0);
  const f = quadraticObjective(E, n, p, {
    apply(Y, X) {
      if (AX.cols !== X.cols) AX = E.tall(m, X.cols);
      A.apply(AX, X);
      A.applyT(Y, AX);
      if (which === "largest") E.combine(Y, -1, Y, 0, Y);
    },
    flops: 2 * A.flops,
    symmetric: true,
  });
  let tol = residual * A.norm;
  for (let runs = 1, start = o.start; ; runs++) {
    const run = await solveForm(E, f, stiefel(n, p), { ...o, tol, start });
    const answer = { ...tripletsOn(A, fromRows(E, n, run.X)), run };
    const worst = Math.SQRT2 * Math.max(...answer.residual);
    if (!(worst > residual) || runs === RUNS || run.status !== "converged") return answer;
    tol *= 0.5 * (residual / worst);
    start = run.X;
  }
}

/** The triplets of A on the span of the columns of X: A·X = U·Diag(s)·Wᵀ and V = X·W */
export function tripletsOn(A: Rectangular, X: Tall): Triplets {
  const { E } = A;
  const [V, image] = [E.tall(A.cols, X.cols), E.tall(A.rows, X.cols)];
  A.apply(image, X);
  const { U, s, V: W } = svd(E, image);
  E.mul(V, X, W);
  return tripletsOf(A, U, s, V);
}

/** Of orthonormal U and V, with descending s */
export function tripletsOf(A: Rectangular, U: Tall, s: Float64Array, V: Tall): Triplets {
  const { E } = A;
  const q = s.length;
  const [R, Z] = [E.tall(A.rows, q), E.tall(A.cols, q)];
  A.apply(R, V);
  A.applyT(Z, U);
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
    U: columns(copyOfRows(E, U), turned),
    V: columns(copyOfRows(E, V), turned),
    defect,
  };
}
