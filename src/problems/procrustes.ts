/** Orthogonal Procrustes problems: least squares over orthonormal columns, with the unknown on the right or on the left. */

import { nuclearNorm } from "../arrays/nuclear-norm.js";
import type { Sparse } from "../arrays/sparse.js";
import { dataPart, type Part } from "../memory/need.js";
import { finite, matrix, oneOf } from "../options.js";
import { random } from "../random.js";
import type { Engine, Matrix, Objective, QuadraticForm, Tall } from "../types.js";
import { gaussian, plainProduct, plainTranspose, randomOrthonormal } from "./instances.js";
import { dense, scratch } from "./operator.js";
import {
  checkData,
  checkShape,
  lazy,
  type Problem,
  type ProblemOptions,
  problemOptions,
  refuseBeside,
  requireBoth,
} from "./problem.js";

interface ProcrustesOptions extends ProblemOptions {
  /** on which side of X the matrix A stands */
  side?: "left" | "right";
  /** left: m×n, dense or sparse; right: p×q; Gaussian if absent (m = n, q = p) */
  A?: Matrix | Sparse;
  /** left: m×p; right: n×q; a seeded A·X̂ (X̂·A) plus noise if absent */
  B?: Matrix;
  /** standard deviation of the noise in the seeded B */
  noise?: number;
}

export const procrustesDefaults = { side: "left", noise: 0.1 } as const;

export function procrustesParts({ n, p, A, side }: ProcrustesOptions): Part[] {
  const size = side === "right" ? p : n;
  return [dataPart(A, A?.rows ?? size, size), { count: 5, rows: n, cols: p }];
}

/**
 * left:  f(X) = ½‖AX − B‖²,  ∇f(X) = Aᵀ(AX − B);  f* = ½(‖A‖² + ‖B‖²) − ‖AᵀB‖_* if p = n, no closed form otherwise
 * right: f(X) = ½‖XA − B‖²,  ∇f(X) = (XA − B)Aᵀ;  f* = ½(‖A‖² + ‖B‖²) − ‖BAᵀ‖_*, because ‖XA‖ = ‖A‖
 *
 * [Schönemann 1966; for the unbalanced problem p < n: Eldén and Park 1999.] The residual is formed, not AᵀA: small residuals keep
 * their digits.
 */
export function procrustes(E: Engine, given: ProcrustesOptions): Problem {
  const kinds = { side: oneOf(["left", "right"]), A: matrix, B: matrix, noise: finite };
  const options = problemOptions("procrustes", given, kinds);
  refuseBeside("procrustes", { B: options.B }, { noise: options.noise });
  const { n, p, seed = 1, side = procrustesDefaults.side, noise = procrustesDefaults.noise } = options;
  checkShape(E, "procrustes", options, procrustesParts);
  const left = side === "left";
  const A = options.A ?? gaussian(left ? n : p, left ? n : p, random(seed, "procrustes A"));
  if (left) checkData("procrustes", "A", A, A.rows, n);
  else checkData("procrustes", "A", A, p, A.cols);
  requireBoth("procrustes", { A: options.A, B: options.B });
  const B = options.B ?? planted(dense(A), left, n, p, noise, seed);
  if (left) checkData("procrustes", "B", B, A.rows, p);
  else checkData("procrustes", "B", B, n, A.cols);
  const optimum = lazy(() => closedForm(dense(A), B, left));
  return {
    name: "procrustes",
    title: left ? "f(X) = ½‖AX − B‖²" : "f(X) = ½‖XA − B‖²",
    n,
    p,
    objective: leastSquares(E, n, p, B, left ? fromLeft(E, A, p) : fromRight(E, dense(A))),
    get optimum() {
      return left && p < n ? undefined : optimum();
    },
  };
}

/** A linear map 𝒜 with its adjoint, and the quadratic form ½‖𝒜X‖² */
interface LinearMap {
  map(R: Tall, X: Tall): void;
  adjoint(Y: Tall, R: Tall): void;
  readonly form: QuadraticForm;
}

function fromLeft(E: Engine, A: Matrix | Sparse, p: number): LinearMap {
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

function fromRight(E: Engine, data: Matrix): LinearMap {
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

/** f(X) = ½‖𝒜X − B‖²,  ∇f(X) = 𝒜*(𝒜X − B),  ∇²f(X)[D] = 𝒜*𝒜D */
function leastSquares(E: Engine, n: number, p: number, data: Matrix, { map, adjoint, form }: LinearMap): Objective {
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

function closedForm(A: Matrix, B: Matrix, left: boolean): number {
  const square = ({ data }: Matrix): number => data.reduce((sum, v) => sum + v * v, 0);
  const M = left ? plainProduct(plainTranspose(A), B) : plainProduct(B, plainTranspose(A));
  return 0.5 * (square(A) + square(B)) - nuclearNorm(M);
}

/** 𝒜X̂ + noise for a random orthonormal X̂ */
function planted(A: Matrix, left: boolean, n: number, p: number, noise: number, seed: number): Matrix {
  const X = randomOrthonormal(n, p, random(seed, "procrustes solution"));
  const B = left ? plainProduct(A, X) : plainProduct(X, A);
  const r = random(seed, "procrustes noise");
  for (let i = 0; i < B.data.length; i++) B.data[i]! += noise * r.normal();
  return B;
}
