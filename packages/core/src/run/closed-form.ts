import type { Engine, Tall } from "@expen/linalg";
import { certify } from "../certify/certify.js";
import type { Spectrum } from "../certify/offered-spectrum.js";
import type { Manifold } from "../contracts/manifold.js";
import type { Objective, Reason } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import { stiefel } from "../manifolds/named.js";
import { newState } from "../methods/state.js";
import { newRun, nothingSpent, toleranceAt } from "./context.js";
import type { StiefelOptions } from "./options.js";
import { certifyOptions, resultOf } from "./outcome.js";
import type { Parts } from "./parts.js";
import type { End } from "./round.js";
import { startAt } from "./start.js";
import { askedOf, boundOf } from "./tolerance.js";

/** ‖XᵀX − I‖ up to which a formula's X is as orthonormal as rounding lets it, for p columns: p times this */
const ROUNDING = 1e-14;

/** A point that a formula gives, of the engine */
export interface ClosedForm {
  readonly X: Tall;
  /** in words */
  readonly formula: string;
  /** of the multiplier at X, where the formula has it */
  readonly spectrum?: Spectrum;
  /** where X lives; left out: orthonormal columns */
  readonly on?: Manifold;
}

/**
 * A point that a formula gives, measured and certified like the end of a run, of no iterations. Nothing where its gradient is above the
 * tolerance (1e-6, and 1e-6 of ‖∇f‖, where none is asked for): the formula lost digits, and a run may begin there.
 */
export function closedForm(
  parts: Parts,
  E: Engine,
  f: Objective,
  { X, formula, spectrum, on = stiefel(f.n, f.p) }: ClosedForm,
  o: StiefelOptions,
): Result | undefined {
  // a declared form would be measured once more before the start
  const plain = { ...f, quadratic: undefined };
  const bound = on.bind(E);
  const run = newRun(parts, { bound, text: on.text }, plain, o, { ...nothingSpent(), start: { X, notes: [] } });
  let measures = run.ruler.measure(X);
  if (!(measures.feasibility <= ROUNDING * f.p)) {
    E.copy(X, startAt(bound, X, run.notes));
    measures = run.ruler.measure(X);
  }
  const { fval, stationarity, gradient, feasibility } = measures;
  const state = { ...newState({ X, f: fval, evaluations: run.evaluations }, stationarity), gnormMax: gradient };
  const tolerance = toleranceAt(run, state);
  run.tolerance = tolerance;
  if (!(stationarity <= boundOf(tolerance, state))) return undefined;
  run.notes.push(`closed form: ${formula}`);
  run.method = { name: "closed form", why: formula };
  const kind = stationarity <= askedOf(tolerance, state) ? "gradient" : "rounding";
  const reason: Reason = { kind, converged: true, text: `closed form: ${formula}` };
  const end: End = { state, reason, before: feasibility, measures, met: true };
  const seconds = run.elapsed();
  const outcome = certify(E, f, X, { ...certifyOptions(run, end), spectrum }, parts.provers);
  run.certifying.seconds += outcome.certificate.seconds;
  const result = resultOf(run, end, outcome, seconds);
  o.events?.end?.(result);
  return result;
}
