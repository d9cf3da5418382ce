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
  return new Stepwise(begin, step) as unknown as Steps<R>;
}

class Stepwise<R> {
  private readonly yielded: Yielded = { done: false, value: undefined as unknown as State };
  private begun = false;
  private over = false;

  constructor(
    private readonly begin: () => State,
    private readonly step: (yielded: Yielded) => R | undefined,
  ) {}

  next(): IteratorResult<State, R> {
    if (this.over) return this.return(undefined as R);
    const { yielded } = this;
    // an exception ends it, as it ends a generator
    this.over = true;
    if (this.begun) {
      const reason = this.step(yielded);
      if (reason !== undefined) return this.return(reason);
    } else {
      yielded.value = this.begin();
      this.begun = true;
    }
    this.over = false;
    return yielded;
  }

  return(value: R): IteratorReturnResult<R> {
    this.over = true;
    return { done: true, value };
  }

  throw(error: unknown): never {
    this.over = true;
    throw error;
  }

  restart(): void {
    this.begun = this.over = false;
  }
}
Object.setPrototypeOf(Stepwise.prototype, iterator);

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
