/** The part of the check before a run that costs no evaluation beside that of the start. */

import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { type Evaluated, evaluatorOf } from "../objective/evaluator.js";
import { checkedGradient } from "./contract.js";

/** ‖S‖/‖∇f‖ below which a gradient has no normal part */
const TANGENT = 1e-6;

/** f and ∇f at the start; throws a `ContractError` if they do not write, return or leave alone what they must. */
export const checkedStart = (E: Engine, f: Objective, X: Tall): Evaluated =>
  evaluatorOf(E, f).start(X, (G) => checkedGradient(E, f, G, X));

/** Is G its own tangent part, as a Riemannian gradient is? Of no constraint all are. */
export function isTangent(E: Engine, on: Constraint, { X, G }: Pick<Evaluated, "X" | "G">): boolean {
  if (on.traits.coordinates === "free") return false;
  const { n, p } = on.shape;
  const [R, S] = [E.tall(n, p), E.small(p, p)];
  E.copy(R, G);
  on.dissolver.tangent(R, pointOf(E, on)(X), S);
  return Math.sqrt(E.dot(S, S)) <= TANGENT * Math.sqrt(E.dot(G, G));
}
