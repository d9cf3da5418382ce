/** Mistakes in an objective: names of other libraries, and forms without their functions */

import { described } from "@expen/linalg";
import type { View } from "../contracts/manifold.js";
import type { QuadraticForm } from "../contracts/objective.js";
import type { UserObjective } from "../contracts/user-objective.js";

/** for the functions of an objective */
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

/** Throws a sentence where a function has the name of another library, and none has ours; `advice` ends it. */
export function requireOwnNames<P extends View>(user: UserObjective<P>, advice: string): void {
  if ("tape" in user) {
    throw new TypeError("objective: it has tape; write formula((X) => …) of 'expen/tape' in the place of { tape }.");
  }
  const fields = user as Record<string, unknown>;
  for (const [name, own] of Object.entries(FOREIGN_NAMES)) {
    const serves = fields[own] ?? (own === "hvp" ? fields.linearize : fields.fg);
    if (serves !== undefined || !Object.hasOwn(user, name) || typeof fields[name] !== "function") continue;
    throw new TypeError(`objective: it has ${name}, which is called ${own} here; ${advice}.`);
  }
}

/** A declared form, checked */
export function checkedForm(quadratic: QuadraticForm): QuadraticForm {
  if (typeof quadratic.apply !== "function") {
    throw new TypeError(`objective: quadratic.apply is ${described(quadratic.apply)}; give a function.`);
  }
  if (quadratic.lowRank) {
    const { factor, cols, weight } = quadratic.lowRank;
    if (typeof factor !== "function" || !Number.isInteger(cols) || !Number.isFinite(weight)) {
      const parts = `weight ${described(weight)}, cols ${described(cols)} and factor ${described(factor)}`;
      throw new TypeError(`objective: quadratic.lowRank has ${parts}; give two numbers and a function.`);
    }
  }
  return quadratic;
}
