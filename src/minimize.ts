import type { Observer, Reason, Solver, State, Stop } from "./types.js";

/** The only loop: takes states from the solver until a rule says stop or the solver cannot go on. */
export function minimize(solver: Solver, stop: Stop, observe?: Observer): { state: State; reason: Reason } {
  const start = performance.now();
  let state: State | undefined;
  for (;;) {
    const next = solver.next();
    if (next.done) {
      if (!state) throw new Error("minimize: the solver ended before its first state.");
      return { state, reason: next.value };
    }
    state = next.value;
    state.seconds = (performance.now() - start) / 1000;
    observe?.(state);
    const reason = stop(state);
    if (reason) return { state, reason };
  }
}
