/**
 * Triplets with the smallest singular values of a sparse A: V from Krylov spaces of (AᵀA − σI)⁻¹ by a factorization, U from A·V.
 * Where A·V is roundoff, U is from AAᵀ in the same way; the decomposition of UᵀAV puts both together. The residuals are those of A, so
 * that squares cost no digits of what is said of the answer.
 */
import type { Engine, Sparse, Tall } from "@expen/linalg";
import { ProblemError } from "@expen/linalg";
import { isSparse, sparseProduct, sparseTranspose } from "@expen/linalg/arrays";
import { svd } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { columns, plainOf } from "../application.js";
import { type Pencil, pencilOf } from "./pencil.js";
import type { Rectangular } from "./rectangular.js";
import type { SolveOptions } from "./run-options.js";
import { nearestPairs, shiftBelow } from "./shift-invert.js";
import { type ShiftedPencil, shiftedPencil } from "./shifted-pencil.js";
import { type Triplets, tripletsOf, tripletsOn } from "./triplets.js";

/** Entries of AᵀA over those of A from which its factors are not worth the memory */
const GROWTH = 40;
/** Residual of the eigenpairs of AᵀA over ‖A‖², ten times its roundoff */
const RESIDUAL = 2e-15;
/** σ over ‖A‖ below which roundoff of AᵀA is all of σ² */
const NEGLIGIBLE = 1e-7;

interface Squares {
  readonly pencil: Pencil;
  readonly shifted: ShiftedPencil;
  readonly sigma: number;
}

/** TᵀT with a shift below its spectrum; undefined where its factors would be too large */
function squaresOf(E: Engine, name: string, T: Sparse): Squares | undefined {
  if (E.ranks) return undefined;
  const C = sparseProduct(sparseTranspose(T), T, GROWTH * (T.values.length + T.cols));
  if (!C) return undefined;
  const pencil = pencilOf(E, name, C, undefined, undefined);
  const shifted = shiftedPencil(pencil);
  const sigma = shifted && shiftBelow(shifted);
  return shifted && sigma !== undefined ? { pencil, shifted, sigma } : undefined;
}

/** The p eigenvectors of TᵀT with the least eigenvalues */
async function lowest(name: string, { pencil, shifted, sigma }: Squares, p: number, o: SolveOptions) {
  const residual = RESIDUAL * pencil.A.norm;
  const { pairs, run } = await nearestPairs(name, pencil, shifted, sigma, p, { ...o, residual });
  const order = Array.from({ length: p }, (_, j) => j);
  return { X: tallOf(pencil.E, columns(pairs.X, order)), run };
}

/** Undefined where AᵀA cannot be factorized here */
export async function smallestTriplets(
  name: string,
  A: Rectangular,
  p: number,
  o: SolveOptions,
): Promise<Triplets | undefined> {
  const { E, matrix } = A;
  const squares = matrix && isSparse(matrix) ? squaresOf(E, name, matrix) : undefined;
  if (!squares) return undefined;
  const { X, run } = await lowest(name, squares, p, o);
  const plain = tripletsOn(A, X);
  const zeros = plain.theta.filter((value) => value <= NEGLIGIBLE * A.norm).length;
  if (zeros === 0) return { ...plain, run };
  const others = squaresOf(E, name, sparseTranspose(matrix as Sparse));
  if (!others) throw new ProblemError(`${name}: A has the singular value 0, and AAᵀ is too large to be factorized.`);
  const left = await lowest(name, others, zeros, o);
  const both = together(A, plain, left.X, zeros);
  // of a tall A the eigenvectors of AAᵀ for 0 are at right angles to A·V, however small that is
  return { ...(Math.max(...both.residual) < Math.max(...plain.residual) ? both : plain), run };
}

/** The triplets on the span of V and of U, whose first columns are replaced by N */
function together(A: Rectangular, { U, V }: Triplets, N: Tall, zeros: number): Triplets {
  const { E } = A;
  const p = V.cols;
  const others = columns(
    U,
    Array.from({ length: p - zeros }, (_, j) => zeros + j),
  );
  const basis = E.tall(A.rows, p);
  const n = plainOf(E, N).data;
  E.write(
    basis,
    Float64Array.from({ length: A.rows * p }, (_, k) => {
      const [i, j] = [Math.floor(k / p), k % p];
      return j < zeros ? n[i * zeros + j]! : others.data[i * (p - zeros) + j - zeros]!;
    }),
  );
  // orthonormal up to roundoff, since N is at right angles to the range of A
  const { U: Q } = svd(E, basis);
  const [X, AX, M] = [tallOf(E, V), E.tall(A.rows, p), E.small(p, p)];
  A.apply(AX, X);
  E.tmul(M, Q, AX);
  const { U: P, s, V: W } = svd(E, M);
  const [left, right] = [E.tall(A.rows, p), E.tall(A.cols, p)];
  E.mul(left, Q, P);
  E.mul(right, X, W);
  return tripletsOf(A, left, s, right);
}
