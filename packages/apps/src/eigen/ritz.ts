/** Ritz pairs of a pencil: the eigenvectors that are in the span of the columns of X, with their residuals. */
import { gamma } from "@expen/core/certify";
import type { Engine, HostMatrix, Matrix, Small, Tall } from "@expen/linalg";
import { hostMatrix, ProblemError } from "@expen/linalg";
import { eigh, norm } from "@expen/linalg/dense";
import { copyOfRows } from "@expen/linalg/engine";
import { columns, scaleColumns } from "../application.js";
import { signsOf } from "./own-rows.js";
import type { Pencil } from "./pencil.js";

export interface RitzPairs {
  /** ascending */
  readonly theta: Float64Array;
  /** n×q with XᵀBX = I, under MPI the rows of this process */
  readonly X: Matrix;
  /** ‖A·x − θ·B·x‖₂ of each */
  readonly residual: Float64Array;
  /** the same in the norm of B⁻¹, where B⁻¹ is given */
  readonly dual?: Float64Array;
  /** ‖XᵀBX − I‖_F */
  readonly defect: number;
}

/** Rayleigh and Ritz: XᵀAX·V = XᵀBX·V·Θ; columns that depend on others are an error. */
export function ritzPairs({ E, n, A, B, inverse }: Pencil, X: Tall): RitzPairs {
  const q = X.cols;
  const [AX, BX] = [E.tall(n, q), B ? E.tall(n, q) : X];
  A.apply(AX, X);
  B?.apply(BX, X);
  const [M, S] = [E.small(q, q), E.small(q, q)];
  E.tmul(M, X, BX);
  E.symmetrize(M);
  if (!E.factor.cholesky(M, M)) throw new ProblemError("eigs: the vectors of the run depend on each other; lower p.");
  for (const Y of B ? [X, AX, BX] : [X, AX]) E.factor.divide(Y, M);
  E.tmul(S, X, AX);
  E.symmetrize(S);
  const { values: theta, vectors: V } = eigh(E, S);
  const rotated = (Y: Tall): Tall => {
    const YV = E.tall(n, q);
    E.mul(YV, Y, V);
    return YV;
  };
  const [Z, AZ] = [rotated(X), rotated(AX)];
  const BZ = B ? rotated(BX) : Z;
  E.tmul(M, Z, BZ);
  E.addDiagonal(M, -1);
  const defect = norm(E, M);
  E.mul(AZ, BZ, diagonal(E, theta), -1, 1);
  E.tmul(S, AZ, AZ);
  const squares = E.read(S);
  const lengths = (): Float64Array => theta.map((_, j) => Math.sqrt(Math.max(0, squares[j * (q + 1)]!)));
  const residual = lengths();
  if (inverse) {
    inverse.apply(BX, AZ);
    E.tmul(S, AZ, BX);
    E.read(S, squares);
  }
  return {
    theta,
    X: copyOfRows(E, Z),
    residual,
    ...(inverse && { dual: lengths() }),
    defect,
  };
}

function diagonal(E: Engine, values: Float64Array): Small {
  const q = values.length;
  const numbers = new Float64Array(q * q);
  values.forEach((value, j) => void (numbers[j * (q + 1)] = value));
  return E.small(q, q, numbers);
}

/** Roundoff in the residual of a unit vector: that of the products, and of the combination of q columns */
export const residualRounding = ({ A, B }: Pencil, theta: number, q: number): number =>
  gamma(A.terms + q + 8) * A.norm + gamma((B?.terms ?? 1) + q + 8) * Math.abs(theta) * (B?.norm ?? 1);

/** The vectors of these indices; the largest entry of each is positive. */
export function realVectors(E: Engine, { X }: RitzPairs, order: readonly number[]): HostMatrix {
  const vectors = columns(X, order);
  return hostMatrix(scaleColumns(vectors, signsOf(E, vectors)));
}
