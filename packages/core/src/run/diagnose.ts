import { digits } from "@expen/linalg";
import { whyNotFinite } from "../check/not-finite.js";
import type { Outcome } from "../contracts/certificate.js";
import type { Reason } from "../contracts/method.js";
import { leastBeta, singularValues } from "../expen/estimates.js";
import { pointOf } from "../manifolds/point.js";
import { kinkAt } from "./kink.js";
import { INFEASIBLE } from "./round.js";
import type { End, Run } from "./run.js";

/** Iterations after which the three gradients of `kinkAt` cost next to nothing */
const MANY = 1000;

/** The reason of an end that the certificate does not confirm: a run that seems converged may have failed. */
export function diagnose(run: Run, { state, reason, before }: End, { measures, certificate }: Outcome): Reason {
  const { E, on, f } = run;
  if (!Number.isFinite(measures.fval + measures.stationarity)) {
    const text = reason.kind === "not-finite" ? reason.text : "f or its gradient is not finite at the projected point";
    return { kind: "not-finite", converged: false, text: `${text}${whyNotFinite(E, f, state.X)}` };
  }
  if (!reason.converged) {
    const isStuck = reason.kind === "search-failed" || (reason.kind === "iterations" && run.done >= MANY);
    return isStuck ? { ...reason, text: reason.text + kinkAt(E, run.F, on, run.X) } : reason;
  }
  const beta = state.notes?.plainBeta;
  // a rule of the user (step, value, …) may stop anywhere: within a stage of an adaptive β the point is no minimiser of h
  const isUserRule = reason.kind !== "gradient" && reason.kind !== "rounding";
  if (before > INFEASIBLE && !(isUserRule && beta === undefined)) {
    const K = E.small(f.p, f.p);
    on.dissolver.K(K, pointOf(E, on)(state.X));
    const s = singularValues(on.dissolver.eigenvalues(K));
    const spurious = s.filter((value) => Math.abs(value - 1) > INFEASIBLE / 4).length;
    const cause =
      beta === undefined
        ? "the method left the manifold"
        : `β = ${digits(beta)} is too small for it (at its projection β must exceed 1.5·λmax(S) = ` +
          `${digits(leastBeta(certificate.multiplier.highest))}); use beta auto or a larger number`;
    return {
      kind: "spurious",
      converged: false,
      text:
        `the penalty's minimiser is infeasible: ‖XᵀX − I‖ = ${digits(before)}, ` +
        `${spurious} of ${f.p} singular values are not 1; ${cause}`,
    };
  }
  // a rule of the user may accept a point that is not stationary to the tolerance; the certificate reports that
  if (certificate.level === "none" && !isUserRule) {
    return {
      kind: "infeasible",
      converged: false,
      text: `the solver stopped (${reason.text}), but ${certificate.text}`,
    };
  }
  return reason;
}
