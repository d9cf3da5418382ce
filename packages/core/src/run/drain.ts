import type { State } from "../contracts/method.js";

/** Runs the generator to its end, pausing for the event loop between slices of time. */
export async function drain<T>(steps: Generator<State, T>, sliceMilliseconds = 25): Promise<T> {
  for (let until = performance.now() + sliceMilliseconds; ; ) {
    const next = steps.next();
    if (next.done) return next.value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + sliceMilliseconds;
  }
}
