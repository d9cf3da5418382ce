/** ½‖𝒜X − B‖² for a linear map 𝒜: multiplication of X by a matrix from the left or from the right. */

import type { Objective, QuadraticForm } from "@expen/core";
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { plainProduct, plainTranspose, scratch } from "@expen/linalg";
import { nuclearNorm } from "@expen/linalg/arrays";
import { squareSum } from "./columns.js";

/** A linear map 𝒜 with its adjoint, and the quadratic form ½‖𝒜X‖² */
export interface LinearMap {
  map(R: Tall, X: Tall): void;
  adjoint(Y: Tall, R: Tall): void;
  readonly form: QuadraticForm;
}

/** X ↦ AX for X with p columns */
export function fromLeft(E: Engine, A: Matrix | Sparse, p: number): LinearMap {
  const { apply, applyT, flops } = E.operator(A);
  const image = scratch(E, A.rows, p);
  return {
    map: (R, X) => apply(R, X),
    adjoint: (Y, R) => applyT(Y, R),
    form: {
      flops: 2 * flops,
      apply(Y, X) {
        const AX = image(X);
        apply(AX, X);
        applyT(Y, AX);
      },
    },
  };
}

/** X ↦ XA */
export function fromRight(E: Engine, data: Matrix): LinearMap {
  const A = E.small(data.rows, data.cols, data.data);
  const C = E.small(data.rows, data.rows);
  E.mulT(C, A, A);
  E.symmetrize(C);
  return {
    map: (R, X) => E.mul(R, X, A),
    adjoint: (Y, R) => E.mulT(Y, R, A),
    form: { apply: (Y, X) => E.copy(Y, X), C, flops: 0 },
  };
}

/** f(X) = ½‖𝒜X − B‖²,  ∇f(X) = 𝒜*(𝒜X − B),  ∇²f(X)[D] = 𝒜*𝒜D. The residual is formed, not 𝒜*𝒜: small residuals are accurate. */
export function leastSquares(
  E: Engine,
  n: number,
  p: number,
  data: Matrix,
  { map, adjoint, form }: LinearMap,
): Objective {
  const B = E.tall(data.rows, data.cols, data.data);
  const [R, L, square] = [E.tall(B.rows, B.cols), E.tall(n, p), E.dot(B, B)];
  E.combine(R, -1, B, 0, B);
  adjoint(L, R);

  function residual(X: Tall): number {
    map(R, X);
    E.combine(R, 1, R, -1, B);
    return 0.5 * E.dot(R, R);
  }

  return {
    n,
    p,
    convex: true,
    quadratic: { ...form, L, constant: 0.5 * square },
    f: residual,
    fg(G, X) {
      const value = residual(X);
      adjoint(G, R);
      return value;
    },
    hvp(H, _X, D) {
      map(R, D);
      adjoint(H, R);
    },
  };
}

/**
 * min ½‖AX − B‖² over orthogonal X (left), or min ½‖XA − B‖² over XᵀX = I (right): as ‖𝒜X‖ = ‖A‖ there, it is
 * ½(‖A‖² + ‖B‖²) − ‖M‖_* with M = AᵀB, or BAᵀ [Schönemann 1966].
 */
export function procrustesMinimum(A: Matrix, B: Matrix, side: "left" | "right"): number {
  const M = side === "left" ? plainProduct(plainTranspose(A), B) : plainProduct(B, plainTranspose(A));
  return 0.5 * (squareSum(A) + squareSum(B)) - nuclearNorm(M);
}
