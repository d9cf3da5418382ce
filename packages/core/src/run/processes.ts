/** A run on several processes: its signal, and the messages that it takes */

import type { Ranks } from "@expen/linalg";
import type { State } from "../contracts/method.js";
import type { Result } from "../contracts/result.js";
import { leaves } from "../manifolds/view.js";
import type { Run } from "./run.js";

/** Aborted if the signal of any process is */
export const sharedSignal = (ranks: Ranks, signal: AbortSignal): Pick<AbortSignal, "aborted"> => ({
  get aborted() {
    return ranks.any(signal.aborted);
  },
});

/** Adds up the evaluations and reductions between two states. */
export function stepCounter({ stepping, evaluations }: Run, ranks: Ranks): (s: State) => void {
  const now = () => ({ reductions: ranks.traffic.reductions, evaluations: evaluations.f + evaluations.hvp });
  let before = now();
  return ({ k }) => {
    const after = now();
    if (k > 0) {
      stepping.reductions += after.reductions - before.reductions;
      stepping.evaluations += after.evaluations - before.evaluations;
    }
    before = after;
  };
}

/** The messages of this run, and the first row of this process */
export function communicationOf(
  run: Run,
  { size, traffic, firstRow }: Ranks,
): Pick<Result, "communication" | "firstRow"> {
  const { reductions: r = 0, exchanges: e = 0, bytes: b = 0 } = run.traffic;
  const reductions = traffic.reductions - r - run.certifying.reductions;
  // parts of a product have rows of their own
  const rows = new Set(leaves(run.bound.view(run.X)).map(({ matrix }) => matrix.rows));
  return {
    communication: {
      ranks: size,
      reductions,
      reductionsPerEvaluation: run.stepping.reductions / Math.max(1, run.stepping.evaluations),
      reductionsOfCertificate: run.certifying.reductions,
      exchanges: traffic.exchanges - e,
      bytes: traffic.bytes - b,
    },
    ...(rows.size === 1 && { firstRow: firstRow([...rows][0]!) }),
  };
}
