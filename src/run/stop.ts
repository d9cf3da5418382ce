/** Rules for stopping: pure functions of the state, composed with `any` and `all`. */

import { digits } from "../numbers.js";
import type { Reason, Stop } from "../types.js";

/** ‖g‖ ≤ tol */
export const gradientBelow =
  (tol: number): Stop =>
  (s) =>
    s.gnorm <= tol
      ? { kind: "gradient", converged: true, text: `gradient norm ${digits(s.gnorm)} ≤ ${digits(tol)}` }
      : undefined;

/** ‖g‖ ≤ tol·(largest ‖g‖ of this run): does not change when f is scaled */
export const gradientBelowRelative =
  (tol: number): Stop =>
  (s) =>
    s.gnorm <= tol * s.gnormMax
      ? {
          kind: "gradient",
          converged: true,
          text: `gradient norm ${digits(s.gnorm)} ≤ ${digits(tol)} of the largest met, ${digits(s.gnormMax)}`,
        }
      : undefined;

/** ‖X_k − X_{k−1}‖ ≤ tol·√p */
export const stepBelow =
  (tol: number): Stop =>
  (s) =>
    s.k > 0 && s.step <= tol * Math.sqrt(s.X.cols)
      ? { kind: "step", converged: true, text: `the last step moved X by ${digits(s.step)} ≤ ${digits(tol)}·√p` }
      : undefined;

/** f_{k−1} − f_k ≤ tol·max(1, |f_k|) */
export const valueChangeBelow =
  (tol: number): Stop =>
  (s) =>
    s.k > 0 && Math.abs(s.decrease) <= tol * Math.max(1, Math.abs(s.f))
      ? { kind: "value", converged: true, text: `f changed by ${digits(s.decrease)} in the last step` }
      : undefined;

export const iterations =
  (limit: number): Stop =>
  (s) =>
    s.k >= limit
      ? {
          kind: "iterations",
          converged: false,
          text: `stopped after ${s.k} iterations, gradient norm ${digits(s.gnorm)}`,
        }
      : undefined;

/** Calls of f, of its gradient (both at once count once) and of its Hessian. A search that has begun is brought to its end. */
export const evaluations =
  (limit: number): Stop =>
  (s) => {
    const { f, grad, hvp } = s.evaluations;
    const calls = Math.max(f, grad) + hvp;
    return calls >= limit
      ? {
          kind: "evaluations",
          converged: false,
          text: `stopped after ${calls} evaluations, gradient norm ${digits(s.gnorm)}`,
        }
      : undefined;
  };

export const seconds =
  (limit: number): Stop =>
  (s) =>
    s.seconds >= limit
      ? {
          kind: "time",
          converged: false,
          text: `stopped after ${digits(s.seconds)} s, gradient norm ${digits(s.gnorm)}`,
        }
      : undefined;

export const aborted =
  (signal: Pick<AbortSignal, "aborted">): Stop =>
  (s) =>
    signal.aborted ? { kind: "aborted", converged: false, text: `aborted after ${s.k} iterations` } : undefined;

/** Stops when one of the rules does; the first one gives the reason. */
export const any =
  (...rules: Stop[]): Stop =>
  (s) => {
    for (const rule of rules) {
      const reason = rule(s);
      if (reason) return reason;
    }
    return undefined;
  };

/** Stops when all of the rules do. */
export const all =
  (...rules: Stop[]): Stop =>
  (s) => {
    const texts: string[] = [];
    let last: Reason | undefined;
    let converged = true;
    for (const rule of rules) {
      last = rule(s);
      if (!last) return undefined;
      texts.push(last.text);
      converged &&= last.converged;
    }
    return last && { kind: last.kind, converged, text: texts.join(" and ") };
  };
