import { certify } from "../certify.js";
import { stiefel } from "../constraints/manifolds.js";
import type { StiefelOptions } from "../options.js";
import type { Result } from "../result.js";
import { newState } from "../solvers/state.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { newRun, nothingSpent } from "./context.js";
import { certifyOptions, resultOf } from "./outcome.js";
import type { End } from "./round.js";

/**
 * A point that a formula gives, measured and certified like the end of a run, of no iterations. Nothing where its gradient is above the
 * tolerance (1e-6, and 1e-6 of ‖∇f‖, where none is asked for): the formula lost digits, and a run may begin there.
 */
export function closedForm(E: Engine, f: Objective, X: Matrix, o: StiefelOptions, formula: string): Result | undefined {
  // a declared form would be measured once more before the start
  const { quadratic: _, ...plain } = f;
  const on = stiefel(f.n, f.p);
  const run = newRun({ bound: on.bind(E), text: on.text }, plain, { ...o, start: X }, nothingSpent());
  const measures = run.ruler.measure(run.X);
  const { fval, stationarity, gradient, feasibility } = measures;
  const state = { ...newState({ X: run.X, f: fval, evaluations: run.evaluations }, stationarity), gnormMax: gradient };
  if (!(stationarity <= run.tolerance(state))) return undefined;
  run.notes.push(`closed form: ${formula}`);
  const reason = { kind: "gradient", converged: true, text: `closed form: ${formula}` } as const;
  const end: End = { state, reason, before: feasibility, measures, met: true };
  const seconds = run.elapsed();
  const outcome = certify(E, f, run.X, certifyOptions(run, end));
  run.certifying.seconds += outcome.certificate.seconds;
  const result = resultOf(run, end, outcome, seconds);
  o.on?.end?.(result);
  return result;
}
