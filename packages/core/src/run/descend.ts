import { digits } from "@expen/linalg";
import type { Outcome } from "../contracts/certificate.js";
import type { State } from "../contracts/method.js";
import type { Imports } from "./imports.js";
import { certifyOptions } from "./outcome.js";
import { INFEASIBLE, round } from "./round.js";
import type { Descent, End, Run } from "./run.js";
import { leaveSaddle } from "./saddle.js";

/** Saddles that a run leaves at most */
const MAX_SADDLES = 5;

/** Rounds of the solver, until the certificate shows no saddle at the end of one. */
export function* descend(run: Run, imports: Imports): Generator<State, Descent, void> {
  const { o, notes } = run;
  for (; ; run.saddles++) {
    let end = yield* round(run, imports.solver);
    run.done += end.state.k;
    const isStationary = end.reason.kind === "gradient" || (end.reason.kind === "rounding" && end.isStationary);
    if (imports.newton && isStationary && end.before <= INFEASIBLE) {
      end = yield* round(run, imports.newton, true);
      run.done += end.state.k;
    }
    const outcome = certifyEnd(run, imports, end);
    const { escape: direction, measures } = outcome;
    const mayGoOn = end.reason.converged && run.saddles < MAX_SADDLES;
    if (!(direction && mayGoOn && leaveSaddle(run, direction, measures.fval))) return { end, outcome };
    const curvature = outcome.certificate.curvature!.lowest;
    o.events?.saddle?.({ fval: measures.fval, curvature, iterations: run.done });
    notes.push(`left a saddle at f = ${digits(measures.fval, 9)} along a direction of negative curvature`);
  }
}

/** The certificate of `run.X`; its cost is added to `run.certifying` */
function certifyEnd(run: Run, imports: Imports, end: End): Outcome {
  const { E, f, certifying } = run;
  const reductions = E.ranks?.traffic.reductions ?? 0;
  const outcome = imports.certify(E, f, run.X, certifyOptions(run, end));
  certifying.reductions += (E.ranks?.traffic.reductions ?? 0) - reductions;
  certifying.seconds += outcome.certificate.seconds;
  return outcome;
}
