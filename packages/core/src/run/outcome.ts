/** The options of the certificate at the end of a round, and the result of a run. */

import { digits } from "@expen/linalg";
import type { CertifyOptions, Outcome } from "../contracts/certificate.js";
import type { State } from "../contracts/method.js";
import type { Result, RunDescription } from "../contracts/result.js";
import { plain } from "../manifolds/view.js";
import { diagnose } from "./diagnose.js";
import { DEFAULT_SOLVER } from "./options.js";
import { communicationOf } from "./processes.js";
import { INFEASIBLE } from "./round.js";
import type { End, Run } from "./run.js";
import { reachableNorm, requestedNorm } from "./tolerance.js";

/** Evaluations that proofs may take however short the run */
const LEAST_BUDGET = 16;
/** Evaluations that a bound of the curvature takes */
const BOUND_BUDGET = 40;

export function certifyOptions(run: Run, { state, reason, measures }: End): CertifyOptions {
  const { E, on, o, evaluations, certifying } = run;
  const cost = evaluations.grad + evaluations.hvp;
  const certificates = certifying.evaluations.f + certifying.evaluations.hvp;
  // of a start that is stationary nothing else is known; for its proof a closed form needs a bound
  const isBrief = o.certificate !== "second-order" && run.done > 0 && o.optimum === undefined;
  const beta = state.notes?.plainBeta;
  const tolerance = reachableNorm(run.tolerance!, state);
  return {
    on,
    // at the roundoff level the gradient of the projected point may be a little larger
    tolerance: reason.kind === "rounding" ? Math.max(tolerance, 10 * state.gnorm) : tolerance,
    optimum: o.optimum,
    secondOrder: o.certificate !== "stationary" && reason.converged,
    thorough: o.certificate === "second-order",
    budget: o.certificateBudget,
    usual: Math.max(isBrief ? LEAST_BUDGET : BOUND_BUDGET, cost),
    ...(isBrief && o.certificateBudget === undefined && { run: { evaluations: cost, certificates } }),
    flops: E.counters.flops - run.flops,
    evaluations: certifying.evaluations,
    seed: run.seed,
    nonsmooth: run.term,
    measurer: run.ruler,
    measures,
    beta,
    penaltyGradient: state.gnorm,
  };
}

function descriptionOf({ text, o, method, E, seed }: Run, { notes }: State): RunDescription {
  const solver = o.solver ?? DEFAULT_SOLVER;
  const beta = notes?.plainBeta ?? notes?.beta;
  const byName = { name: solver, why: o.solver ? "it was named" : "no method was begun" };
  const { name, why } = method ?? byName;
  return { on: text, solver, method: name, why, engine: E.name, seed, ...(beta !== undefined && { beta }) };
}

export function resultOf(run: Run, end: End, outcome: Outcome, seconds: number): Result {
  const { E, bound, f, o, X, notes, certifying } = run;
  const { n, p } = f;
  const { state, before } = end;
  const { solves, sigma } = state.notes ?? {};
  if (solves !== undefined && sigma !== undefined)
    notes.push(`Krylov spaces of (B − σI)⁻¹, σ = ${digits(sigma)}: ${solves} solves with one column`);
  const { fval, stationarity, feasibility } = outcome.measures;
  const isConfirmed = end.reason.converged && before <= INFEASIBLE && outcome.certificate.level !== "none";
  const reason = isConfirmed ? end.reason : diagnose(run, end, outcome);
  const requested = requestedNorm(run.tolerance!, state);
  const isOwn = o.tol !== undefined || o.relTol !== undefined;
  const isShort = isOwn && reason.kind === "rounding" && stationarity > requested;
  if (isShort) {
    const where = `the Riemannian gradient is ${digits(stationarity)} where ${digits(requested)} was asked for`;
    notes.push(
      `rounding set the bound: ${where}; f is as low as its numbers show, and a smaller tolerance changes nothing`,
    );
  }
  // data over processes may have gone through the run without a message
  E.ranks?.requireAlike([fval], "f at the end");
  return {
    n,
    p,
    run: descriptionOf(run, state),
    status: reason.converged && !isShort ? "converged" : reason.kind,
    reason,
    fval,
    stationarity,
    feasibility,
    feasibilityBeforeProjection: before,
    iterations: run.done,
    evaluations: { ...run.evaluations },
    seconds,
    optimum: o.optimum ?? null,
    gap: o.optimum === undefined ? null : fval - o.optimum,
    certificate: { ...outcome.certificate, evaluations: { ...certifying.evaluations }, seconds: certifying.seconds },
    notes,
    ...(o.history && { history: run.history }),
    ...(run.term && { sparsity: run.term.sparsity({ rows: n, cols: p, data: E.read(state.X) }) }),
    ...(E.ranks && communicationOf(run, E.ranks)),
    X: plain(bound, X),
  };
}
