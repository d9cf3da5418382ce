/** Counts of the calls of a user's functions */

import type { Tall } from "@expen/linalg";
import type { Evaluations, Objective } from "../contracts/objective.js";

export const noEvaluations = (): Evaluations => ({ f: 0, grad: 0, hvp: 0 });

/** The same objective, its calls counted in `count`. */
export function counted(f: Objective, count: Evaluations): Objective {
  const { hvp, linearize, quadratic } = f;
  const along =
    (hessian: (H: Tall, D: Tall) => void) =>
    (H: Tall, D: Tall): void => {
      count.hvp++;
      hessian(H, D);
    };
  /** counts the evaluations that a Hessian took of itself */
  const withHidden = <R>(act: () => R): R => {
    const before = f.hidden?.();
    const result = act();
    if (before !== undefined) {
      count.f += f.hidden!() - before;
      count.grad += f.hidden!() - before;
    }
    return result;
  };
  return {
    ...f,
    f(X) {
      count.f++;
      if (f.valueByGradient) count.grad++;
      return f.f(X);
    },
    fg(G, X) {
      count.f++;
      count.grad++;
      return f.fg(G, X);
    },
    hvp: hvp && ((H, X, D) => withHidden(() => along((H, D) => hvp(H, X, D))(H, D))),
    linearize: linearize && ((X) => along(withHidden(() => linearize(X)))),
    quadratic: quadratic && {
      ...quadratic,
      apply(Y, X) {
        count.f++;
        count.grad++;
        quadratic.apply(Y, X);
      },
    },
  };
}
