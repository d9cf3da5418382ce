import type { Reason, State } from "../types.js";
import type { Method, TrialRay } from "./ray.js";

/** A generator of states that can begin again. */
export interface Steps<R> extends Generator<State, R, void> {
  restart(): void;
}

/** What generators inherit from: the helpers of iterators, where the host has them. */
const iterator: object = Object.getPrototypeOf(Object.getPrototypeOf([].values()));

/** What a generator hands out; the state in it may be replaced. */
export interface Yielded {
  readonly done: false;
  value: State;
}

/**
 * Yields the state of `begin`, then the same after each `step`, until a step says why it is the end. A `function*` would make an object
 * each time it yields; here one is handed out again and again, like the state in it.
 */
export function stepwise<R = Reason>(begin: () => State, step: (yielded: Yielded) => R | undefined): Steps<R> {
  const yielded: Yielded = { done: false, value: undefined as unknown as State };
  let [begun, over] = [false, false];
  const end = (value: unknown) => {
    over = true;
    return { done: true as const, value: value as R };
  };
  const steps: Steps<R> = Object.assign(Object.create(iterator), {
    next() {
      if (over) return end(undefined);
      // an exception ends it, as it ends a generator
      over = true;
      if (begun) {
        const reason = step(yielded);
        if (reason !== undefined) return end(reason);
      } else {
        yielded.value = begin();
        begun = true;
      }
      over = false;
      return yielded;
    },
    return: end,
    throw(error: unknown): never {
      over = true;
      throw error;
    },
    restart() {
      begun = over = false;
    },
  });
  return steps;
}

/** A method whose runs, one at a time, share everything: beginning anew makes nothing. */
export function stepwiseMethod(begin: (ray: TrialRay) => State, step: (ray: TrialRay) => Reason | undefined): Method {
  let ray: TrialRay;
  const steps = stepwise(
    () => begin(ray),
    () => step(ray),
  );
  return (along) => {
    ray = along;
    steps.restart();
    return steps;
  };
}
