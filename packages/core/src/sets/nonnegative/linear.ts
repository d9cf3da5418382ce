import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Objective } from "../../contracts/objective.js";

/** ‖BXC‖ of a declared form up to this part of ‖L‖ is 0 */
const LINEAR = 1e-12;

/** Whether f declares, or is seen as, a form ⟨L, X⟩ without a quadratic part: then it is convex. */
export function isLinear(E: Engine, { n, p, quadratic }: Objective): boolean {
  if (!quadratic?.L) return false;
  const [X, Y] = [E.tall(n, p), E.tall(n, p)];
  E.write(X, random(1, "linear").normal);
  quadratic.apply(Y, X);
  return Math.sqrt(E.dot(Y, Y)) <= LINEAR * Math.sqrt(E.dot(quadratic.L, quadratic.L));
}
