/** f of points with several matrices: it gets and fills views of them. */

import type { Tall } from "@expen/linalg";
import type { Domain, View } from "../contracts/manifold.js";
import type { UserObjective } from "../contracts/user-objective.js";
import { isMatrix } from "../manifolds/view.js";

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
