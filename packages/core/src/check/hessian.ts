/** The check of Hessian-vector products, by one of them and a gradient, or four more gradients where these disagree. */

import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { entryOf } from "@expen/linalg/algebras";
import type { Objective } from "../contracts/objective.js";
import type { SeenPoint } from "../contracts/step-comparison.js";
import { centralHessian } from "../objective/differences.js";
import { forwardHessian, hessianAt } from "../objective/hessian-at.js";
import { place } from "./contract-error.js";
import type { Suspect } from "./worst-entry.js";

/** ‖tD‖/√p of the longer step: relative to columns of length 1 */
const STEP = 2 ** -12;
/**
 * An H is wrong if its error is above this part of the larger of ‖H‖ and the difference quotient, plus so many estimated errors of the
 * latter.
 */
const RELATIVE = 1e-3;
/** estimated errors of the differences by which H may be off */
const ERRORS = 20;

/**
 * Compares H = ∇²f(X)[D] along a random D with a forward difference of the gradient. Where they disagree, central differences decide, and
 * two step lengths estimate their error. Undefined where H is right, or where f is not finite around X. A certificate of second order is
 * no better than H.
 */
export function findHessianMistake(
  E: Engine,
  f: Objective,
  { X, G: known }: Pick<SeenPoint, "X" | "G">,
  seed: number,
): { suspect: Suspect; text: string } | undefined {
  const hessian = hessianAt(f, X);
  if (!hessian) return undefined;
  const { n, p } = f;
  const [D, H, Y, G] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const [near, far] = [E.tall(n, p), E.tall(n, p)];
  const size = (Z: Tall): number => Math.sqrt(E.dot(Z, Z));
  E.write(D, random(seed, "hessian check").normal);
  hessian(H, D);
  forwardHessian(E, f, X, known)(near, D);
  E.combine(far, 1, H, -1, near);
  if (size(far) <= RELATIVE * size(H)) return undefined;
  const step = (STEP * Math.sqrt(p)) / size(D);
  centralHessian(E, f, { H: far, X, D, Y, G }, step);
  centralHessian(E, f, { H: near, X, D, Y, G }, step / 2);
  E.combine(far, -1, near, 1, far);
  const error = size(far);
  E.combine(far, 1, H, 0, H);
  E.combine(far, -1, near, 1, far);
  const difference = size(far);
  if (!(difference > ERRORS * error + RELATIVE * Math.max(size(near), size(H)))) return undefined;
  const [wrong, own, expected] = [E.read(far), E.read(H), E.read(near)];
  const at = wrong.reduce((worst, v, k) => (Math.abs(v) > Math.abs(wrong[worst]!) ? k : worst), 0);
  const suspect = { ...entryOf(X, at), given: own[at]!, expected: expected[at]! };
  const [is, differences] = [digits(suspect.given, 6), digits(suspect.expected, 6)];
  return { suspect, text: `entry ${place(X, at)} of H, ${is} where differences of the gradient give ${differences}` };
}
