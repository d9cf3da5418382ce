import type { State } from "../contracts/method.js";

/**
 * Runs the generator to its end, pausing for the event loop between slices of time. `onState` observes each state of the algebra, and is
 * waited for where it returns a promise.
 */
export async function drain<T>(
  run: Generator<State, T> | Promise<Generator<State, T>>,
  sliceMilliseconds = 25,
  onState: (s: State) => void | Promise<void> = () => undefined,
): Promise<T> {
  const steps = await run;
  for (let until = performance.now() + sliceMilliseconds; ; ) {
    const next = steps.next();
    if (next.done) return next.value;
    const pending = onState(next.value);
    if (pending) await pending;
    if (performance.now() < until) continue;
    await pause();
    until = performance.now() + sliceMilliseconds;
  }
}

/** Gives the event loop a turn, without the milliseconds that a timer may wait. */
export const pause = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
