import type { State } from "../contracts/method.js";

/**
 * Runs the generator to its end, pausing for the event loop between slices of time. `onState` observes each state of the algebra, and is
 * waited for where it returns a promise.
 */
export async function drain<T>(
  steps: Generator<State, T>,
  sliceMilliseconds = 25,
  onState: (s: State) => void | Promise<void> = () => undefined,
): Promise<T> {
  for (let until = performance.now() + sliceMilliseconds; ; ) {
    const next = steps.next();
    if (next.done) return next.value;
    const pending = onState(next.value);
    if (pending) await pending;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + sliceMilliseconds;
  }
}
