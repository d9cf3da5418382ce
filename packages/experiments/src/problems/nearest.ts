/** The nearest matrix with orthonormal columns. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { checkData, gaussian, matrix, random } from "@expen/linalg";
import { constantTridiagonal, nuclearNorm } from "@expen/linalg/arrays";
import { dataPart, type Part } from "@expen/linalg/memory";
import { checkShape, lazy, type Problem, type ProblemOptions, problemOptions } from "./problem.js";

interface NearestOptions extends ProblemOptions {
  /** n×p; Gaussian of variance 1/n if absent */
  A?: Matrix;
}

export const nearestParts = ({ n, p, A }: NearestOptions): Part[] => [
  dataPart(A, n, p),
  { count: 2, rows: n, cols: p },
];

/**
 * f(X) = ½‖X − A‖²,  ∇f(X) = X − A,  ∇²f(X)[D] = D
 *
 * The minimiser is the orthogonal polar factor of A; f* = ½(p + ‖A‖²) − ‖A‖_*.
 */
export function nearest(E: Engine, options: NearestOptions): Problem {
  const { n, p, seed = 1, ...matrices } = problemOptions("nearest", options, { A: matrix });
  checkShape(E, "nearest", { n, p, ...matrices }, nearestParts);
  const data = matrices.A ?? scaledGaussian(n, p, seed);
  checkData("nearest", "A", data, n, p);
  const [A, L, V] = [E.tall(n, p, data.data), E.tall(n, p), E.tall(n, p)];
  E.combine(L, -1, A, 0, A);
  const square = E.dot(A, A);
  const optimum = lazy(() => 0.5 * (p + square) - nuclearNorm(data));

  function fg(G: Tall, X: Tall): number {
    E.combine(G, 1, X, -1, A);
    return 0.5 * E.dot(G, G);
  }

  return {
    name: "nearest",
    title: "f(X) = ½‖X − A‖²",
    n,
    p,
    objective: {
      n,
      p,
      convex: true,
      quadratic: {
        apply: (Y, X) => E.copy(Y, X),
        matrix: constantTridiagonal(n, 0, 1, 0),
        L,
        flops: 0,
        constant: 0.5 * square,
      },
      f: (X) => fg(V, X),
      fg,
      hvp: (H, _X, D) => E.copy(H, D),
    },
    get optimum() {
      return optimum();
    },
  };
}

function scaledGaussian(n: number, p: number, seed: number): Matrix {
  const A = gaussian(n, p, random(seed, "nearest A"));
  return { ...A, data: A.data.map((v) => v / Math.sqrt(n)) };
}
