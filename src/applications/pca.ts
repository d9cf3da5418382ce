import { withEngine } from "../engines/open.js";
import { pca as pcaProblem } from "../problems/pca.js";
import type { Result } from "../result.js";
import { closedForm } from "../run/closed-form.js";
import { drain, solveStiefel } from "../stiefel.js";
import type { Engine, Matrix } from "../types.js";
import { type Application, type ApplicationOptions, image, plainOf, ritz, withoutEngine } from "./application.js";
import { columnMeans, prepared, requireSamples, squareSum } from "./columns.js";
import { leading, topSubspace } from "./top-subspace.js";

export interface PcaOptions extends ApplicationOptions {
  /** how many components */
  p: number;
  /** subtract the column means */
  centre?: boolean;
  /** divide each column by its standard deviation */
  standardise?: boolean;
}

export interface PcaAnswer extends Application {
  /** n×p, orthonormal, by falling variance; in each column the largest entry is positive */
  components: Matrix;
  /** variance along each component */
  variances: number[];
  /** share of the total variance */
  explained: number[];
  totalVariance: number;
  /** coordinates of the samples, m×p */
  scores: Matrix;
  centre: Float64Array;
  scale: Float64Array;
}

/** Up to this many rows or columns, whichever are fewer, LAPACK's eigenvectors take less time than iterations. */
const LARGEST_DENSE = 1000;

/**
 * The p orthonormal directions of largest variance of A (m×n, one sample a row): the minimum of −½‖ÂX‖²/(m − 1). Eigenvectors of the
 * smaller of ÂᵀÂ and ÂÂᵀ give it at once; where both are large, or a solver is named, it is a run, driven to the rounding floor by
 * Newton steps. Then X is turned to the eigenvectors of XᵀCX. The certificate is a proof: no eigenvalue of C off X is above those on it.
 */
export async function pca(A: Matrix, { p, centre = true, standardise = false, ...o }: PcaOptions): Promise<PcaAnswer> {
  requireSamples("pca", A, p);
  return withEngine(o.engine, async (E) => {
    const [m, n] = [A.rows, A.cols];
    const ready = prepared(A, centre ? columnMeans(A) : new Float64Array(n), standardise);
    const run = await principal(E, ready.data, p, withoutEngine(o));

    const [data, S] = [E.operator(ready.data), E.small(p, p)];
    E.gram(S, image(E, data, run.X));
    const { basis, values } = ritz(E, run.X, S);
    const weight = 1 / (m - 1);
    const totalVariance = weight * squareSum(ready.data);
    const variances = values.map((v) => weight * Math.max(0, v));
    return {
      components: basis,
      variances,
      explained: variances.map((v) => (totalVariance > 0 ? v / totalVariance : 0)),
      totalVariance,
      scores: plainOf(E, image(E, data, basis)),
      centre: ready.centre,
      scale: ready.scale,
      run,
    };
  });
}

async function principal(E: Engine, A: Matrix, p: number, o: Omit<PcaOptions, "p">): Promise<Result> {
  const { rows: m, cols: n } = A;
  const { objective } = pcaProblem(E, { n, p, A, centre: false });
  if (o.solver || Math.min(m, n) > LARGEST_DENSE) {
    return drain(solveStiefel(E, objective, { finish: "newton", ...o }));
  }
  // −C, where the objective has formed it
  const matrix = objective.quadratic!.matrix as Matrix | undefined;
  const X = matrix
    ? leading(
        E,
        E.small(
          n,
          n,
          matrix.data.map((v) => -v),
        ),
        p,
      ).basis
    : topSubspace(E, A, p);
  const formula = matrix ? `eigenvectors of the covariance, ${n}×${n}` : `Âᵀ times eigenvectors of ÂÂᵀ, ${m}×${m}`;
  return (
    closedForm(E, objective, X, o, formula) ?? drain(solveStiefel(E, objective, { finish: "newton", ...o, start: X }))
  );
}
