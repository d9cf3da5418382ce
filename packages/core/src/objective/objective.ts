import type { Engine, Tall } from "@expen/linalg";
import { described, isPromise } from "@expen/linalg";
import type { Domain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Declared, Formula, UserObjective } from "../contracts/user-objective.js";
import { itself } from "../manifolds/view.js";
import { throughView } from "./in-view.js";

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
  return objective(E, throughView(domain, user), n, p);
}

export const isFormula = (f: unknown): f is Formula =>
  typeof f === "object" && f !== null && "bind" in f && "declared" in f;

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
