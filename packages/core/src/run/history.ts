/** The history of a run: f and its Riemannian gradient at feasible points, whatever the solver minimises, so that runs can be compared. */
import { measurer } from "../certify/measure.js";
import type { State } from "../contracts/method.js";
import type { Row } from "../contracts/result.js";
import type { Run } from "./run.js";

/**
 * State ↦ its row. The states of a solver that `isFeasible` have f and ‖grad f‖. Those of others have a penalty function, or points off
 * the manifold: f is then measured at the nearest feasible point, with an evaluation that counts for nothing, and in time that is left out.
 */
export function rowsOf(run: Run, isFeasible: boolean): (s: State) => Row {
  const { E, on, f, term, evaluations } = run;
  const count = (): number => evaluations.f + evaluations.hvp;
  if (isFeasible) {
    return ({ k, f: value, gnorm, step, seconds, notes: { residual, penalty } = {} }) => {
      const constraints = residual === undefined ? {} : { residual, penalty: penalty! };
      return { k: run.done + k, f: value, gnorm, step, seconds, evaluations: count(), ...constraints };
    };
  }
  const { measureAt, feasibilityOf } = measurer(E, f, term, on);
  const y = on.point();
  return ({ k, X, step, seconds }) => {
    const before = run.elapsed();
    const feasibility = feasibilityOf(X);
    if (Number.isFinite(feasibility)) on.project(y, X);
    const { fval, stationarity } = Number.isFinite(feasibility)
      ? measureAt(y)
      : { fval: Number.NaN, stationarity: Number.NaN };
    run.leaveOut(run.elapsed() - before);
    return { k: run.done + k, f: fval, gnorm: stationarity, step, seconds, evaluations: count(), feasibility };
  };
}
