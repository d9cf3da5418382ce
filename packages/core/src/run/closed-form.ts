import type { Engine, Tall } from "@expen/linalg";
import type { Spectrum } from "../certify/offered-spectrum.js";
import type { Manifold } from "../contracts/manifold.js";
import type { Reason } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import { stiefel } from "../manifolds/stiefel.js";
import { newState } from "../methods/state.js";
import { startAt } from "./given-start.js";
import { importCertify } from "./import-for.js";
import { newRun, nothingSpent } from "./new-run.js";
import type { StiefelOptions } from "./options.js";
import { certifyOptions, resultOf } from "./outcome.js";
import type { Parts } from "./parts.js";
import type { End } from "./run.js";
import { reachableNorm, requestedNorm, toleranceAt } from "./tolerance.js";

/** Bound of ‖XᵀX − I‖/p, up to which X of a formula is orthonormal to roundoff */
const ROUNDING = 1e-14;

/** A point of the engine, given by a formula */
export interface ClosedForm {
  readonly X: Tall;
  /** in words */
  readonly formula: string;
  /** of the multiplier at X, if the formula gives it */
  readonly spectrum?: Spectrum;
  /** left out: orthonormal columns */
  readonly on?: Manifold;
}

/**
 * The result for a point given by a formula: measured and certified like the end of a run, with no iterations. Undefined if its gradient is
 * above the tolerance: then the formula lost digits, and a run may begin there.
 */
export async function closedForm(
  parts: Parts,
  E: Engine,
  f: Objective,
  { X, formula, spectrum, on = stiefel(f.n, f.p) }: ClosedForm,
  o: StiefelOptions,
): Promise<Result | undefined> {
  // without the form: newRun would compare it with f once more
  const plain = { ...f, quadratic: undefined };
  const bound = on.bind(E);
  const certify = await importCertify(parts, f);
  const run = newRun({}, { bound, on }, plain, o, nothingSpent(), { X });
  let measures = run.ruler.measure(X);
  if (!(measures.feasibility <= ROUNDING * f.p)) {
    E.copy(X, startAt(bound, X, run.notes));
    measures = run.ruler.measure(X);
  }
  const { fval, stationarity, gradient, feasibility } = measures;
  const state = { ...newState({ X, f: fval, evaluations: run.evaluations }, stationarity), gnormMax: gradient };
  const tolerance = toleranceAt(run, state);
  run.tolerance = tolerance;
  if (!(stationarity <= reachableNorm(tolerance, state))) return undefined;
  run.notes.push(`closed form: ${formula}`);
  run.method = { name: "closed form", why: formula };
  const kind = stationarity <= requestedNorm(tolerance, state) ? "gradient" : "rounding";
  const reason: Reason = { kind, converged: true, text: `closed form: ${formula}` };
  const end: End = { state, reason, before: feasibility, measures, isStationary: true };
  const seconds = run.elapsed();
  const outcome = certify(E, f, X, { ...certifyOptions(run, end), spectrum });
  run.certifying.seconds += outcome.certificate.seconds;
  const result = resultOf(run, end, outcome, seconds);
  o.events?.end?.(result);
  return result;
}
