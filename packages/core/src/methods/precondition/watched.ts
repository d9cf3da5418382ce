import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../../contracts/constraint.js";
import type { Precondition, Reason, Solver, State } from "../../contracts/method.js";
import type { Objective } from "../../contracts/objective.js";
import { stiefelConstraint } from "../../manifolds/stiefel.js";
import { preconditionerWatch, type Watch } from "./watch.js";

/** The options of a solver with a preconditioner, beside its own */
export interface Preconditioned {
  on?: Constraint;
  precondition?: Precondition;
  /** judges the preconditioner by the pairs that the solver shows it */
  watch?: Watch;
  /** takes a sentence for the notes of the result */
  note?: (text: string) => void;
}

/**
 * The run of a solver with a preconditioner, for as long as that does no harm (watch.ts); then the same solver goes on without it from
 * where it stands. Such a run takes a few steps more than one that never had it.
 */
export function* withoutHarm<O extends Preconditioned>(
  E: Engine,
  { n, p }: Objective,
  X0: Tall,
  o: O,
  create: (X0: Tall, o: O) => Solver,
): Solver {
  const watch = preconditionerWatch(E);
  const steps = create(X0, { ...o, watch });
  let last: State | undefined;
  let end: Reason | undefined;
  while (!watch.verdict) {
    const next = steps.next();
    if (next.done) {
      end = next.value;
      break;
    }
    last = next.value;
    yield last;
  }
  if (!watch.verdict || !last) return end!;
  o.note?.(`the preconditioner was left after ${last.k} iterations: ${watch.verdict}`);
  const on = o.on ?? stiefelConstraint(E, n, p);
  const x = on.point();
  on.project(x, last.X);
  return yield* continued(create(x.X, { ...o, precondition: undefined }), last);
}

/** The states of a run that goes on after another one's last: its first is that point again. */
function* continued(steps: Solver, { k, gnormMax }: State): Solver {
  const first = steps.next();
  if (first.done) return first.value;
  const state = first.value;
  state.k += k;
  state.gnormMax = Math.max(state.gnormMax, gnormMax);
  return yield* steps;
}
