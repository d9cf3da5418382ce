/** Orthogonal Procrustes problems: least squares over orthonormal columns, with the unknown on the right or on the left. */

import { fromLeft, fromRight, leastSquares, procrustesMinimum } from "@expen/apps/objectives";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import {
  checkData,
  dense,
  finite,
  gaussian,
  matrix,
  oneOf,
  plainProduct,
  random,
  randomOrthonormal,
} from "@expen/linalg";
import { dataPart, type Part } from "@expen/linalg/memory";
import {
  checkShape,
  lazy,
  type Problem,
  type ProblemOptions,
  problemOptions,
  refuseBeside,
  requireBoth,
} from "./problem.js";

interface ProcrustesOptions extends ProblemOptions {
  /** side of X on which A multiplies */
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
 * [Schönemann 1966; for the unbalanced problem p < n: Eldén and Park 1999.]
 */
export function procrustes(E: Engine, user: ProcrustesOptions): Problem {
  const kinds = { side: oneOf(["left", "right"]), A: matrix, B: matrix, noise: finite };
  const options = problemOptions("procrustes", user, kinds);
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
  const optimum = lazy(() => procrustesMinimum(dense(A), B, side));
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

/** 𝒜X̂ + noise for a random orthonormal X̂ */
function planted(A: Matrix, left: boolean, n: number, p: number, noise: number, seed: number): Matrix {
  const X = randomOrthonormal(n, p, random(seed, "procrustes solution"));
  const B = left ? plainProduct(A, X) : plainProduct(X, A);
  const r = random(seed, "procrustes noise");
  for (let i = 0; i < B.data.length; i++) B.data[i]! += noise * r.normal();
  return B;
}
