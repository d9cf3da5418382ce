import type { State } from "../contracts/method.js";
import { statesInView } from "../manifolds/in-view.js";
import { stageObserver } from "./events.js";
import { rowsOf } from "./history.js";
import { stepCounter } from "./processes.js";
import type { Run } from "./run.js";

/** The observers of the user, the history, and the count of messages: each gets every state, with its time. */
export function observersOf(run: Run, isFeasible: boolean): ((s: State) => void)[] {
  const { o, history } = run;
  const inView = statesInView(run.bound);
  const ofUser = [o.observe, o.events?.iteration, o.events?.stage && stageObserver(o.events.stage)]
    .filter((observe) => !!observe)
    .map(
      (observe) =>
        (s: State): void =>
          observe(inView(s)),
    );
  const rowOf = o.history ? rowsOf(run, isFeasible) : undefined;
  return [
    ...(run.E.ranks ? [stepCounter(run, run.E.ranks)] : []),
    ...ofUser,
    ...(rowOf ? [(s: State): void => void history.push(rowOf(s))] : []),
  ];
}
