/** The observers of the states of a run, its history among them */

import { measurer } from "../certify/measure.js";
import type { State } from "../contracts/method.js";
import type { Row } from "../contracts/result.js";
import { statesInView } from "../objective/in-view.js";
import { stageObserver } from "./events.js";
import { stepCounter } from "./processes.js";
import type { Run } from "./run.js";

/**
 * State ↦ its row of the history: f and its Riemannian gradient at feasible points, whatever the solver minimises, so that runs can be
 * compared. The states of a solver that `isFeasible` have f and ‖grad f‖. Those of others have a penalty function, or points off
 * the manifold: f is then measured at the nearest feasible point, with an evaluation that counts for nothing, and in time that is left out.
 */
function rowsOf(run: Run, isFeasible: boolean): (s: State) => Row {
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

/** The observers of the user, the history, and the count of messages: each gets every state, with its time. */
export function observersOf(run: Run, isFeasible: boolean): ((s: State) => void)[] {
  const { o, history } = run;
  const inView = statesInView(run.bound);
  const ofUser = [o.observe, o.events?.iteration, o.events?.stage && stageObserver(o.events.stage)]
    .filter((observe) => !!observe)
    .map(
      (observe) =>
        (s: State): void =>
          observe(inView(s)),
    );
  const rowOf = o.history ? rowsOf(run, isFeasible) : undefined;
  return [
    ...(run.E.ranks ? [stepCounter(run, run.E.ranks)] : []),
    ...ofUser,
    ...(rowOf ? [(s: State): void => void history.push(rowOf(s))] : []),
  ];
}
