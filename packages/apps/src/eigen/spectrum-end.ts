/** Eigenvectors at an end of the spectrum by products with A: min ±½ tr XᵀAX over XᵀBX = I. */
import { generalizedStiefel, type MetricMatrix, quadraticObjective, type Result, stiefel } from "@expen/core";
import type { Matrix, Sparse } from "@expen/linalg";
import type { Pencil, Product } from "./pencil.js";
import { type RunOptions, solveForm } from "./run-options.js";

export function endOfSpectrum(pencil: Pencil, p: number, largest: boolean, o: RunOptions): Promise<Result> {
  const { E, n, A, B } = pencil;
  const matrix = A.matrix && (largest ? negative(A.matrix) : A.matrix);
  const f = quadraticObjective(E, n, p, {
    apply(Y, X) {
      A.apply(Y, X);
      if (largest) E.combine(Y, -1, Y, 0, Y);
    },
    flops: A.flops,
    symmetric: true,
    ...(matrix && { matrix }),
  });
  return solveForm(E, f, B ? generalizedStiefel(metricOf(B, n), p) : stiefel(n, p), o);
}

const metricOf = ({ matrix, apply }: Product, n: number): MetricMatrix => matrix ?? { rows: n, apply };

/** The p eigenvectors with the values nearest to σ, as those of (A − σI)² at its lower end: by products alone, and slowly */
export function nearestByProducts(pencil: Pencil, p: number, sigma: number, o: RunOptions): Promise<Result> {
  const { E, n, A } = pencil;
  let Z = E.tall(n, 0);
  const f = quadraticObjective(E, n, p, {
    apply(Y, X) {
      if (Z.cols !== X.cols) Z = E.tall(n, X.cols);
      A.apply(Z, X);
      E.combine(Z, 1, Z, -sigma, X);
      A.apply(Y, Z);
      E.combine(Y, 1, Y, -sigma, Z);
    },
    flops: 2 * A.flops,
    symmetric: true,
  });
  return solveForm(E, f, stiefel(n, p), o);
}

export const negative = <M extends Matrix | Sparse>(M: M): M =>
  "values" in M ? { ...M, values: M.values.map((v) => -v) } : { ...M, data: (M as Matrix).data.map((v) => -v) };
