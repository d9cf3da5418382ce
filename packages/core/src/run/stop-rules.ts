/** Every rule for stopping, those for `stop: …` of a user among them */

import { digits } from "@expen/linalg";
import type { Reason, State, Stop } from "../contracts/method.js";
import { limit, rule } from "./stop.js";

export { any, gradientBelow, iterations, roundingBelow } from "./stop.js";

/**
 * Calls of f, of its gradient (both at once count once) and of its Hessian. The rule is checked after a step, so a line search is finished.
 */
export function evaluations(most: number): Stop {
  const calls = ({ evaluations: { f, grad, hvp } }: State): number => Math.max(f, grad) + hvp;
  return limit(
    "evaluations",
    (s) => calls(s) >= most,
    (s) => `${calls(s)} evaluations`,
  );
}

export const seconds = (most: number): Stop =>
  limit(
    "time",
    (s) => s.seconds >= most,
    (s) => `${digits(s.seconds)} s`,
  );

export const aborted = (signal: Pick<AbortSignal, "aborted">): Stop =>
  rule(
    "aborted",
    false,
    () => signal.aborted,
    (s) => `aborted after ${s.k} iterations`,
  );

/** ‖g‖ ≤ tol·(largest ‖g‖ of this run): does not change when f is scaled */
export const gradientBelowRelative = (tol: number): Stop =>
  rule(
    "gradient",
    true,
    (s) => s.gnorm <= tol * s.gnormMax,
    (s) => `gradient norm ${digits(s.gnorm)} ≤ ${digits(tol)} of the largest met, ${digits(s.gnormMax)}`,
  );

/** ‖X_k − X_{k−1}‖ ≤ tol·√p */
export const stepBelow = (tol: number): Stop =>
  rule(
    "step",
    true,
    (s) => s.k > 0 && s.step <= tol * Math.sqrt(s.X.cols),
    (s) => `the last step moved X by ${digits(s.step)} ≤ ${digits(tol)}·√p`,
  );

/** f_{k−1} − f_k ≤ tol·max(1, |f_k|) */
export const valueChangeBelow = (tol: number): Stop =>
  rule(
    "value",
    true,
    (s) => s.k > 0 && Math.abs(s.decrease) <= tol * Math.max(1, Math.abs(s.f)),
    (s) => `f changed by ${digits(s.decrease)} in the last step`,
  );

/** Stops if all of the rules do. */
export const all =
  (...rules: Stop[]): Stop =>
  (s) => {
    const reasons: Reason[] = [];
    for (const rule of rules) {
      const reason = rule(s);
      if (!reason) return undefined;
      reasons.push(reason);
    }
    const last = reasons.at(-1);
    return (
      last && {
        kind: last.kind,
        converged: reasons.every(({ converged }) => converged),
        text: reasons.map(({ text }) => text).join(" and "),
      }
    );
  };
