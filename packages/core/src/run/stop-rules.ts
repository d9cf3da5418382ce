/** Every rule for stopping, those for `stop: …` of a user among them */

import { digits } from "@expen/linalg";
import type { Reason, Stop } from "../contracts/method.js";
import { rule } from "./stop.js";

export { aborted, any, evaluations, gradientBelow, iterations, roundingBelow, seconds } from "./stop.js";

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
