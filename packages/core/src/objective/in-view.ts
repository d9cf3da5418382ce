/** Functions of a user, and states, for points with several matrices: views of them */

import type { Tall } from "@expen/linalg";
import type { Domain, View } from "../contracts/manifold.js";
import type { Precondition, State } from "../contracts/method.js";
import type { UserObjective } from "../contracts/user-objective.js";
import { isMatrix, itself } from "../manifolds/view.js";

/** f on the points themselves */
export function throughView<P extends View>(domain: Domain<P>, user: UserObjective<P>): UserObjective {
  if (user.quadratic) refuseQuadratic(domain as Domain<View>);
  const { on, view } = domain;
  const at = (X: Tall): P => view(X);
  /** Runs a function of the user; a TypeError of an f that takes a point for a matrix gets the parts of a point. */
  const withHint = <R>(X: Tall, call: () => R): R => {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (isMatrix(at(X))) throw error;
      const parts = Object.keys(at(X)).join(", ");
      throw new TypeError(`${error.message}; a point of ${on.name} is { ${parts} }`, { cause: error });
    }
  };
  const { f, grad, fg, hvp, linearize } = user;
  return {
    f: f && ((X) => withHint(X, () => f.call(user, at(X)))),
    grad: grad && ((G, X) => withHint(X, () => grad.call(user, at(G), at(X)))),
    fg: fg && ((G, X) => withHint(X, () => fg.call(user, at(G), at(X)))),
    hvp: hvp && ((H, X, D) => hvp.call(user, at(H), at(X), at(D))),
    linearize:
      linearize &&
      ((X) => {
        const hessian = linearize.call(user, at(X));
        return (H, D) => hessian(at(H), at(D));
      }),
    convex: user.convex,
  };
}

/** Throws a sentence where `quadratic` is declared of f on points of several matrices. */
export function refuseQuadratic({ E, on, view }: Domain<View>): never {
  const parts = Object.keys(view(E.tall(on.shape.n, on.shape.p))).join(", ");
  throw new TypeError(
    `objective: it declares quadratic, which forms of one real matrix have; a point of ${on.name} is { ${parts} }: leave it out.`,
  );
}

/** A preconditioner of views as one of points */
export const preconditionInView = ({ on, view, chart }: Domain<View>, precondition: Precondition): Precondition => {
  if (chart) throw new TypeError(`precondition: on ${on.name} a run works on other numbers than f; leave it out.`);
  const viewOf = (X: Tall): Tall => view(X) as Tall;
  return (Z, X, G) => precondition(viewOf(Z), viewOf(X), viewOf(G));
};

/** States whose X is the view: the state itself where a point is a matrix, else one object that reads from it */
export function statesInView({ view }: Domain<View>): (s: State) => State {
  let [last, inView]: [State | undefined, State | undefined] = [undefined, undefined];
  if ((view as (X: Tall) => View) === itself) return (s) => s;
  return (s) => {
    if (last !== s) {
      last = s;
      inView = Object.create(s, { X: { get: () => view(s.X), enumerable: true } }) as State;
    }
    return inView!;
  };
}
