import type { Domain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";

/** Properties of f that its author may declare */
export type Declared = Pick<Objective, "quadratic" | "convex">;

/**
 * f without a domain; `formula` of the tape returns it. `bind` makes the objective and all its derivatives on a domain. The gradient is
 * derived from f by a program, so no run compares the two; no code of the user reads entries of X, so X may lie on a device.
 */
export interface Formula {
  /** properties that the author declares */
  readonly declared: Declared;
  bind(domain: Domain<View>): Objective;
}

export const isFormula = (f: unknown): f is Formula =>
  typeof f === "object" && f !== null && "bind" in f && "declared" in f;
