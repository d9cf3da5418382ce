import type { Result } from "../../contracts/result.js";
import type { StiefelOptions } from "../../run/options.js";
import type { Spent } from "../../run/run.js";

/** Reasons of a run that nothing may follow */
const CUT = ["aborted", "time", "evaluations", "iterations", "not-finite"];

/** Whether a limit of the user, or an f that is not finite, ended a run */
export const isCut = ({ reason }: Pick<Result, "reason">): boolean => CUT.includes(reason.kind);

/** Whether a limit of the user is reached, after the run of the driver */
export function limitsOf(o: StiefelOptions, { evaluations, began }: Spent): () => boolean {
  const { maxEvaluations = Number.POSITIVE_INFINITY, maxSeconds = Number.POSITIVE_INFINITY, signal } = o;
  return () =>
    signal?.aborted === true || evaluations.f >= maxEvaluations || (performance.now() - began) / 1000 >= maxSeconds;
}
