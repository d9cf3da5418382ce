import type { Tall } from "@expen/linalg";
import type { Evaluations, Objective } from "../contracts/objective.js";

/** The Hessian and the form that f declares, their calls counted in `count` */
export function countedDerivatives(
  f: Objective,
  count: Evaluations,
): Pick<Objective, "hvp" | "linearize" | "quadratic"> {
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
