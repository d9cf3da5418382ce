import type { Domain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";

/** What may be said of f besides its derivatives */
export type Declared = Pick<Objective, "quadratic" | "convex">;

/**
 * f without a domain: `bind` makes the objective and all its derivatives on one. `formula` of the tape returns it. A program derives the
 * gradient from f, so no run compares the two; no code of the user's reads entries of X, so X may lie on a device.
 */
export interface Formula {
  /** what its author says of f */
  readonly declared: Declared;
  bind(domain: Domain<View>): Objective;
}

export const isFormula = (f: unknown): f is Formula =>
  typeof f === "object" && f !== null && "bind" in f && "declared" in f;
