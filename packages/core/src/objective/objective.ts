import type { Engine, Tall } from "@expen/linalg";
import { described, isPromise } from "@expen/linalg";
import type { Domain, View } from "../contracts/manifold.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { isMatrix, itself } from "../manifolds/view.js";
import { type Declared, type Formula, isFormula } from "./formula.js";

/** A value and a gradient, or both at once. `P`: the view of a point that f takes. */
export type UserObjective<P extends View = Tall> = Declared & {
  f?(X: P): number;
  grad?(G: P, X: P): void;
  fg?(G: P, X: P): number;
  /** H ← ∇²f(X)[D] */
  hvp?(H: P, X: P, D: P): void;
  /** the same at one fixed X for many D: the parts that depend on X alone are computed once */
  linearize?(X: P): (H: P, D: P) => void;
};

const ADVICE = "give fg(G, X), or f(X) and grad(G, X), or formula((X) => …) for automatic derivatives";

/** Completes a user's {f, grad} or {fg} to an Objective. */
export function objective(E: Engine, user: UserObjective, n: number, p: number): Objective {
  if (typeof user !== "object" || user === null || "then" in user) {
    const late = "then" in Object(user) ? "; await it before" : "";
    throw new TypeError(`objective: it is ${described(user)}${late}; ${ADVICE}.`);
  }
  requireFunctions(user);
  // bound, as the object may be an instance of a class
  const [f, grad, fg] = [user.f?.bind(user), user.grad?.bind(user), user.fg?.bind(user)];
  let both = fg;
  if (!both && f && grad) {
    both = (G, X) => {
      if (isPromise(grad(G, X))) throw new TypeError("grad returns a promise; an async function cannot be minimised.");
      return f(X);
    };
  }
  if (!both) {
    const names = (["f", "grad", "fg", "hvp"] as const).filter((name) => user[name]).join(", ") || "nothing";
    throw new TypeError(`objective: it has ${names}; ${ADVICE}.`);
  }
  const G = f ? undefined : E.tall(n, p);
  const [hvp, linearize] = [user.hvp?.bind(user), user.linearize?.bind(user)];
  return {
    n,
    p,
    f: f ?? ((X) => both(G!, X)),
    fg: both,
    valueByGradient: !f,
    hvp,
    linearize,
    ...declared(user),
  };
}

/** The same on a manifold: f gets and fills views of points. */
export function objectiveOn<P extends View>(domain: Domain<P>, user: UserObjective<P> | Formula): Objective {
  const { chart, ...images } = domain;
  if (chart) {
    return chart.objective(domain.E, objectiveOn({ ...images, view: chart.view as Domain<P>["view"] }, user));
  }
  if (isFormula(user)) return user.bind(domain as Domain<View>);
  const { base, E, on, view } = domain;
  const { n, p } = on.shape;
  if ((view as (X: Tall) => View) === itself || typeof user !== "object" || user === null) {
    return objective(base, user as unknown as UserObjective, n, p);
  }
  requireFunctions(user);
  if (user.quadratic) refuseQuadratic(domain as Domain<View>);
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
  const viewed: UserObjective = {
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
  return objective(E, viewed, n, p);
}

/** Names of other libraries for the functions of an objective */
const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  cost: "f",
  fun: "f",
  value: "f",
  gradient: "grad",
  egrad: "grad",
  jac: "grad",
  hess: "hvp",
  ehess: "hvp",
  hessian: "hvp",
};

function requireFunctions<P extends View>(user: UserObjective<P>): void {
  if ("tape" in user) {
    throw new TypeError("objective: it has tape; write formula((X) => …) of 'expen/tape' in the place of { tape }.");
  }
  for (const [name, own] of Object.entries(FOREIGN_NAMES)) {
    const fields = user as Record<string, unknown>;
    const serves = fields[own] ?? (own === "hvp" ? fields.linearize : fields.fg);
    if (serves !== undefined || !Object.hasOwn(user, name) || typeof fields[name] !== "function") continue;
    throw new TypeError(`objective: it has ${name}, which is called ${own} here; ${ADVICE}.`);
  }
  for (const name of ["f", "grad", "fg", "hvp", "linearize"] as const) {
    if (user[name] === undefined || typeof user[name] === "function") continue;
    throw new TypeError(`objective: ${name} is ${described(user[name])}; it must be a function.`);
  }
}

/** Throws a sentence where `quadratic` is declared of f on points of several matrices. */
export function refuseQuadratic({ E, on, view }: Domain<View>): never {
  const parts = Object.keys(view(E.tall(on.shape.n, on.shape.p))).join(", ");
  throw new TypeError(
    `objective: it declares quadratic, which forms of one real matrix have; a point of ${on.name} is { ${parts} }: leave it out.`,
  );
}

/** The declared properties, checked */
export function declared({ quadratic, convex }: Pick<Objective, "quadratic" | "convex">): Declared {
  if (quadratic && typeof quadratic.apply !== "function") {
    throw new TypeError(`objective: quadratic.apply is ${described(quadratic.apply)}; give a function.`);
  }
  if (quadratic?.lowRank) {
    const { factor, cols, weight } = quadratic.lowRank;
    if (typeof factor !== "function" || !Number.isInteger(cols) || !Number.isFinite(weight)) {
      const parts = `weight ${described(weight)}, cols ${described(cols)} and factor ${described(factor)}`;
      throw new TypeError(`objective: quadratic.lowRank has ${parts}; give two numbers and a function.`);
    }
  }
  return { quadratic, convex };
}

/** The Hessian at one X as a function of D: `linearize` where the objective has it, `hvp` otherwise. */
export function hessianAt(f: Objective, X: Tall): ((H: Tall, D: Tall) => void) | undefined {
  if (f.linearize) return f.linearize(X);
  const { hvp } = f;
  return hvp && ((H, D) => hvp(H, X, D));
}

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
