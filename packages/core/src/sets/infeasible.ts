import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import { randomPoint } from "../run/start.js";
import type { Block } from "./block.js";
import { type Nearest, nearestFeasible } from "./feasible.js";

/** The result of a search for feasible points where a run seems to find none */
export type Search =
  /** a feasible X near the point of the run, or far from it */
  | { readonly where: "near" | "elsewhere"; readonly X: Tall }
  /** nowhere: X is stationary for the sum of squares of the violations, which are the least that were found */
  | { readonly where: "nowhere"; readonly X: Tall; readonly text: string };

/** ‖Y − X‖/‖X‖ of the point Y from which the search begins: X may be a saddle, or a maximum, of the violations. */
const PERTURBATION = 1e-3;
/** Random points, from which the violations are minimised too */
const STARTS = 5;

/** Looks for a feasible point near X, then from random points; f is not evaluated. */
export function searchFeasible(
  E: Engine,
  on: Constraint,
  blocks: readonly Block[],
  X: Tall,
  { constraintTolerance, seed }: { constraintTolerance: number; seed: number },
): Search {
  const from = (Y: Tall): Nearest => nearestFeasible(E, on, blocks, Y, constraintTolerance);
  let least = from(perturbed(E, on, X));
  if (least.isFeasible) return { where: "near", X: least.X };
  const near = least.violation;
  for (let k = 0; k < STARTS; k++) {
    const other = from(randomPoint({ E, on }, seed + k));
    if (other.isFeasible) return { where: "elsewhere", X: other.X };
    if (other.violation < least.violation) least = other;
  }
  const local =
    "near X no point violates the constraints less: X is stationary for the sum of squares of the violations";
  const text = `${local}, and the largest violation is ${digits(least.violation)}`;
  const others = `from ${STARTS} random points no feasible one was found either`;
  return { where: "nowhere", X: least.X, text: `${text} (${digits(near)} near the run); ${others}` };
}

/** A feasible point of the manifold at a small random distance */
function perturbed(E: Engine, on: Constraint, X: Tall): Tall {
  const { n, p } = on.shape;
  const [Z, y] = [E.tall(n, p), on.point()];
  E.write(Z, random(1, "perturbation").normal);
  E.combine(Z, 1, X, (PERTURBATION * on.size) / Math.sqrt(n * p), Z);
  on.project(y, Z);
  return y.X;
}
