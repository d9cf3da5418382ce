import { digits } from "@expen/linalg";
import type { Reason } from "../contracts/method.js";
import type { TrialRay } from "../contracts/ray.js";
import { notFinite } from "./state.js";

/** A trial this many times |φ(0)| + |φ'(0)| below φ(0), and still falling: no minimum is near. */
const ENDLESS = 1e8;

type Failed = { sawNonFinite: boolean } & Partial<Pick<TrialRay, "f0" | "slope0" | "ft" | "slopeT">>;

/** Why there was no step along the negative gradient either. */
export function noStep({ sawNonFinite, f0 = 0, slope0 = 0, ft = 0, slopeT = 0 }: Failed, gnorm: number): Reason {
  if (ft === Number.NEGATIVE_INFINITY || (slopeT < 0 && ft < f0 - ENDLESS * (Math.abs(f0) + Math.abs(slope0)))) {
    const text = `f falls as far as the negative gradient was followed (${digits(ft)} at the last trial): is it bounded below?`;
    return { kind: "unbounded", converged: false, text };
  }
  if (sawNonFinite) return notFinite("f is not finite at the trial points of the line search, however near they are");
  const text = `the line search found no acceptable step, not even along the negative gradient (norm ${digits(gnorm)})`;
  return { kind: "search-failed", converged: false, text };
}
