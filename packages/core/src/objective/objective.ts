import type { Engine, Tall } from "@expen/linalg";
import { described, isPromise } from "@expen/linalg";
import type { Domain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Formula, UserObjective } from "../contracts/user-objective.js";
import { itself } from "../manifolds/view.js";
import { throughView } from "./in-view.js";
import { checkedForm, requireOwnNames } from "./mistakes.js";

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
    const names = FUNCTIONS.filter((name) => user[name]).join(", ") || "nothing";
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
    quadratic: user.quadratic && checkedForm(user.quadratic),
    convex: user.convex,
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
  return objective(E, throughView(domain, user), n, p);
}

export const isFormula = (f: unknown): f is Formula =>
  typeof f === "object" && f !== null && "bind" in f && "declared" in f;

const FUNCTIONS = ["f", "grad", "fg", "hvp", "linearize"] as const;

function requireFunctions<P extends View>(user: UserObjective<P>): void {
  const known: readonly string[] = [...FUNCTIONS, "quadratic", "convex"];
  if (!Object.keys(user).every((name) => known.includes(name))) requireOwnNames(user, ADVICE);
  for (const name of FUNCTIONS) {
    if (user[name] === undefined || typeof user[name] === "function") continue;
    throw new TypeError(`objective: ${name} is ${described(user[name])}; it must be a function.`);
  }
}
