/** Rounds of a solver until the certificate shows no saddle where they end. */

import { digits } from "@expen/linalg";
import { certify } from "../certify/certify.js";
import type { State } from "../contracts/objective.js";
import type { Run } from "./context.js";
import { certifyOptions } from "./outcome.js";
import { type End, INFEASIBLE, round } from "./round.js";
import { leaveSaddle } from "./saddle.js";
import { DEFAULT_SOLVER } from "./strategy.js";

const MAX_SADDLES = 5;

/** Where the last round ended, its projection in `run.X`, and what is known of that point */
export interface Descent {
  readonly end: End;
  readonly outcome: ReturnType<typeof certify>;
}

export function* descend(run: Run): Generator<State, Descent, void> {
  const { E, f, o, notes, certifying } = run;
  for (; ; run.saddles++) {
    let end = yield* round(run, o.solver ?? DEFAULT_SOLVER);
    run.done += end.state.k;
    const isStationary = end.reason.kind === "gradient" || (end.reason.kind === "rounding" && end.met);
    if (o.finish === "newton" && isStationary && end.before <= INFEASIBLE) {
      end = yield* round(run, "expen-newton", true);
      run.done += end.state.k;
    }
    const said = E.ranks?.traffic.reductions ?? 0;
    const outcome = certify(E, f, run.X, certifyOptions(run, end), run.parts.provers);
    certifying.reductions += (E.ranks?.traffic.reductions ?? 0) - said;
    certifying.seconds += outcome.certificate.seconds;
    const { escape: direction, measures } = outcome;
    const again = end.reason.converged && run.saddles < MAX_SADDLES;
    if (!(direction && again && leaveSaddle(run, direction, measures.fval))) return { end, outcome };
    const curvature = outcome.certificate.curvature!.lowest;
    o.events?.saddle?.({ fval: measures.fval, curvature, iterations: run.done });
    notes.push(`left a saddle at f = ${digits(measures.fval, 9)} along a direction of negative curvature`);
  }
}
