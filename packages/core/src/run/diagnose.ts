import type { Engine } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { whyNotFinite } from "../check/not-finite.js";
import type { Outcome } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Reason, State } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import { leastBeta, singularValues } from "../expen/estimates.js";
import { multiplierEigenvalues } from "../manifolds/multiplier.js";
import { pointOf } from "../manifolds/point.js";

/** The reason of the end, corrected by the certificate: a run that seems converged may have failed. */
export function diagnose(
  E: Engine,
  f: Objective,
  { state, reason }: { state: State; reason: Reason },
  { before, outcome, infeasible, on }: { before: number; outcome: Outcome; infeasible: number; on: Constraint },
): Reason {
  const { measures, certificate } = outcome;
  if (!Number.isFinite(measures.fval + measures.stationarity)) {
    const text = reason.kind === "not-finite" ? reason.text : "f or its gradient is not finite at the projected point";
    return { kind: "not-finite", converged: false, text: `${text}${whyNotFinite(E, f, state.X)}` };
  }
  if (!reason.converged) return reason;
  const beta = state.notes?.plainBeta;
  // a rule of the user (step, value, …) may stop anywhere: within a stage of an adaptive β the point is no minimiser of h
  const isUserRule = reason.kind !== "gradient" && reason.kind !== "rounding";
  if (before > infeasible && !(isUserRule && beta === undefined)) {
    const K = E.small(f.p, f.p);
    on.dissolver.K(K, pointOf(E, on)(state.X));
    const s = singularValues(multiplierEigenvalues(E, on, K));
    const spurious = s.filter((value) => Math.abs(value - 1) > infeasible / 4).length;
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
