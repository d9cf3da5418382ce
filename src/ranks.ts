/** For f that is spread over processes, and for plain engines alike: sums. */

import { type UserObjective, wraps } from "./objective.js";
import type { Engine, Objective, Tall } from "./types.js";

/** x summed over all processes; to be called by all of them */
export function sumOf(E: Engine, x: number): number {
  if (!E.ranks) return x;
  const numbers = Float64Array.of(x);
  E.ranks.sum(numbers);
  return numbers[0]!;
}

/** The same objective; where there are several processes, a value that is another one on some of them is an error. */
export function sameOnRanks({ ranks }: Pick<Engine, "ranks">, f: Objective): Objective {
  if (!ranks) return f;
  const told = (value: number): number => {
    ranks.same(value);
    return value;
  };
  const watched = { ...f, f: (X: Tall) => told(f.f(X)), fg: (G: Tall, X: Tall) => told(f.fg(G, X)) };
  wraps(watched.f, f.f);
  return watched;
}

/**
 * Data over processes: X is the same on each (engine `mpi-data`), and f of a process speaks of its samples alone. The sum of all these f,
 * with its derivatives, each in one message of n·p + 1 numbers. On an engine of one process f as it is.
 */
export function sumOverRanks(E: Engine, f: Omit<UserObjective, "tape" | "quadratic">): UserObjective {
  const { ranks } = E;
  if (!ranks) return f;
  let numbers = new Float64Array(1);
  /** G and the value, both ← their sums */
  function summed(G: Tall, value: number): number {
    const size = G.rows * G.cols;
    if (numbers.length !== size + 1) numbers = new Float64Array(size + 1);
    E.read(G, numbers);
    numbers[size] = value;
    ranks!.sum(numbers);
    E.write(G, numbers.subarray(0, size));
    return numbers[size]!;
  }
  const { f: value, grad, fg, hvp, linearize, convex } = f;
  const along =
    (hessian: (H: Tall, D: Tall) => void) =>
    (H: Tall, D: Tall): void => {
      hessian(H, D);
      summed(H, 0);
    };
  return {
    ...(convex !== undefined && { convex }),
    ...(value && { f: (X: Tall) => sumOf(E, value.call(f, X)) }),
    ...(grad && {
      grad(G: Tall, X: Tall) {
        grad.call(f, G, X);
        summed(G, 0);
      },
    }),
    ...(fg && { fg: (G: Tall, X: Tall) => summed(G, fg.call(f, G, X)) }),
    ...(hvp && { hvp: (H: Tall, X: Tall, D: Tall) => along((H, D) => hvp.call(f, H, X, D))(H, D) }),
    ...(linearize && { linearize: (X: Tall) => along(linearize.call(f, X)) }),
  };
}
