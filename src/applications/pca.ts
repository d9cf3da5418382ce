import { withEngine } from "../engines/open.js";
import { tallOf } from "../engines/own-matrix.js";
import { quadraticObjective } from "../objective/quadratic-objective.js";
import { closedForm } from "../run/closed-form.js";
import type { StiefelOptions } from "../run/options.js";
import type { Result } from "../run/result.js";
import { drain, solveStiefel } from "../stiefel.js";
import type { Engine, Matrix } from "../types.js";
import { type Application, type ApplicationOptions, plainOf, ritz } from "./application.js";
import { requireSampleSizes } from "./columns.js";
import { type Sample, sampleOf } from "./covariance.js";

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

/**
 * The p orthonormal directions of largest variance of A (m×n, one sample a row): the minimum of −½‖ÂX‖²/(m − 1). Eigenvectors of the
 * smaller of ÂᵀÂ and ÂÂᵀ give it at once; where both are large, or a solver is named, it is a run, driven to the rounding floor by
 * Newton steps. Then X is turned to the eigenvectors of XᵀCX. The certificate is a proof: no eigenvalue of C off X is above those on it.
 */
export async function pca(A: Matrix, { p, centre = true, standardise = false, ...o }: PcaOptions): Promise<PcaAnswer> {
  requireSampleSizes("pca", A, p);
  return withEngine(o.engine, async (E) => {
    const n = A.cols;
    const sample = sampleOf(E, A, { application: "pca", centre, standardise });
    const run = await principal(E, sample, n, p, { finish: "newton", ...o });

    const S = E.small(p, p);
    sample.variances(S, tallOf(E, run.X));
    const { basis, values } = ritz(E, run.X, S);
    const { totalVariance } = sample;
    const variances = values.map((v) => Math.max(0, v));
    return {
      components: basis,
      variances,
      explained: variances.map((v) => (totalVariance > 0 ? v / totalVariance : 0)),
      totalVariance,
      scores: sample.scores(basis),
      centre: sample.centre,
      scale: sample.scale,
      run,
    };
  });
}

/** The end of a run for −½⟨X, CX⟩, or of the closed form where there is one */
export async function principal(
  E: Engine,
  { form, top }: Pick<Sample, "form"> & Partial<Pick<Sample, "top">>,
  n: number,
  p: number,
  o: StiefelOptions,
): Promise<Result> {
  const f = quadraticObjective(E, n, p, form);
  const start = o.solver ? undefined : top?.(p);
  const found = start && closedForm(E, f, start, o);
  return found ?? drain(solveStiefel(E, f, { ...o, start: start && plainOf(E, start.X) }));
}
