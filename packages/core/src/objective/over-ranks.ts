/** Sums over processes for an f that is spread over them; on other engines the numbers themselves. */

import type { Engine, Ranks, Tall } from "@expen/linalg";
import type { UserObjective } from "../contracts/user-objective.js";

/** x summed over all processes; to be called by all of them */
export function sumOf(E: Engine, x: number): number {
  if (!E.ranks) return x;
  const numbers = Float64Array.of(x);
  E.ranks.sum(numbers);
  return numbers[0]!;
}

/**
 * f as the sum over processes. Data over processes (engine `mpi-data`): X is the same on each, f of a process is the part of its samples,
 * and f and its derivatives are added, each in one message of n·p + 1 numbers. Rows over processes (`mpi`): f of a process is the part of
 * its rows and fills those of the gradient; values are added. On an engine of one process f itself.
 */
export function sumOverRanks(E: Engine, f: Omit<UserObjective, "quadratic">): UserObjective {
  const { ranks } = E;
  if (!ranks) return f;
  if (E.name === "mpi") return sumOfRows(E, ranks, f);
  let numbers = new Float64Array(1);
  /** G and the value, both ← their sums */
  function addUp(G: Tall, value: number): number {
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
      addUp(H, 0);
    };
  return {
    convex,
    f: value && ((X) => sumOf(E, value.call(f, X))),
    grad:
      grad &&
      ((G, X) => {
        grad.call(f, G, X);
        addUp(G, 0);
      }),
    fg: fg && ((G, X) => addUp(G, fg.call(f, G, X))),
    hvp: hvp && ((H, X, D) => along((H, D) => hvp.call(f, H, X, D))(H, D)),
    linearize: linearize && ((X) => along(linearize.call(f, X))),
  };
}

/** Rows are settled before the value is added, so that sums over them travel with it. */
function sumOfRows(E: Engine, ranks: Ranks, f: Omit<UserObjective, "quadratic">): UserObjective {
  const { f: value, grad, fg, hvp, linearize, convex } = f;
  const added = (part: number, ...matrices: Tall[]): number => {
    for (const A of matrices) ranks.settle(A);
    return sumOf(E, part);
  };
  return {
    convex,
    f: value && ((X) => added(value.call(f, X), X)),
    grad: grad?.bind(f),
    fg: fg && ((G, X) => added(fg.call(f, G, X), X, G)),
    hvp: hvp?.bind(f),
    linearize: linearize?.bind(f),
  };
}
