import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Equations } from "./equations.js";

/** ‖tD‖ of the central difference, relative to 1 + ‖X‖ */
const REACH = Math.cbrt(2 ** -52);
/** Largest difference of a right Jacobian, relative to ‖Jᵀw‖‖D‖: truncation and roundoff leave some 1e-9 */
const ALLOWED = 1e-5;

/** Throws a sentence where c or its Jacobian is not finite at X, or ⟨w, c(X + tD) − c(X − tD)⟩/2t is not ⟨Jᵀw, D⟩ for random w and D. */
export function requireAdjoint(E: Engine, c: Equations, X: Tall): void {
  const { rows: n, cols: p } = X;
  const { normal } = random(1, "Jacobian");
  const [D, Y, G] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const w = Float64Array.from({ length: c.size }, normal);
  E.write(D, normal);
  const reach = (REACH * (1 + norm(E, X))) / norm(E, D);
  const at = (t: number): number => {
    const out = new Float64Array(c.size);
    E.combine(Y, 1, X, t, D);
    c.value(out, Y);
    return out.reduce((sum, v, i) => sum + w[i]! * v, 0);
  };
  const difference = (at(reach) - at(-reach)) / (2 * reach);
  c.adjoint(G, X, w);
  const product = E.dot(G, D);
  if (!Number.isFinite(difference + product)) {
    throw new RangeError(
      `ownManifold: c or its Jacobian is not finite at the start (${digits(difference)}, ${digits(product)}).`,
    );
  }
  const size = norm(E, G) * norm(E, D) + Math.abs(difference);
  if (Math.abs(difference - product) <= ALLOWED * size) return;
  const numbers = `${digits(product)} along a random direction, where differences of c give ${digits(difference)}`;
  throw new RangeError(`ownManifold: the Jacobian does not belong to c: it gives ${numbers}.`);
}
