/** Do the Hessian-vector products belong to f? Answered by one of them and four gradients. */

import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { entryOf } from "@expen/linalg/algebras";
import type { Objective } from "../contracts/objective.js";
import { centralHessian } from "../objective/differences.js";
import { hessianAt } from "../objective/objective.js";
import { place } from "./contract.js";
import type { Suspect } from "./worst-entry.js";

/** ‖tD‖ of the longer step, for columns of length 1, by √p */
const STEP = 2 ** -12;
/** A mistake is off by more than this part of the larger, and by more than so many errors that the differences tell of themselves. */
const RELATIVE = 1e-3;
const ERRORS = 20;

/**
 * H = ∇²f(X)[D] as given against central differences of the gradient along a random D. Two steps: what their differences differ by is
 * what they may be off. Nothing where they agree, or where f is not finite around X; a certificate of second order is no better than H.
 */
export function hessianMistake(
  E: Engine,
  f: Objective,
  X: Tall,
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
  const step = (STEP * Math.sqrt(p)) / size(D);
  centralHessian(E, f, { H: far, X, D, Y, G }, step);
  centralHessian(E, f, { H: near, X, D, Y, G }, step / 2);
  E.combine(far, -1, near, 1, far);
  const error = size(far);
  E.combine(far, 1, H, 0, H);
  E.combine(far, -1, near, 1, far);
  const off = size(far);
  if (!(off > ERRORS * error + RELATIVE * Math.max(size(near), size(H)))) return undefined;
  const [wrong, given, expected] = [E.read(far), E.read(H), E.read(near)];
  const at = wrong.reduce((worst, v, k) => (Math.abs(v) > Math.abs(wrong[worst]!) ? k : worst), 0);
  const suspect = { ...entryOf(X, at), given: given[at]!, expected: expected[at]! };
  const [is, differences] = [digits(suspect.given, 6), digits(suspect.expected, 6)];
  return { suspect, text: `entry ${place(X, at)} of H, ${is} where differences of the gradient give ${differences}` };
}
