import { digits } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Run } from "./run.js";

/**
 * Changes of f under X → XQ up to this part of ‖∇f‖‖XQ − X‖, the change that the gradient allows, plus this part of |f|, its roundoff, are
 * no dependence on the basis.
 */
const [OF_GRADIENT, OF_VALUE] = [1e-8, 2 ** -46];

/** The constraint, or that without its quotient where f depends on the basis: then f is no function on the quotient. */
export function quotientIfInvariant({ E, F: f, on, X, notes }: Run): Constraint {
  const quotient = on.traits.quotient!;
  const Y = E.tall(f.n, f.p);
  quotient.turn(Y, X);
  const { G, f: before } = f.start(X);
  const after = f.f(Y);
  E.combine(Y, -1, X, 1, Y);
  // not f itself, which may hold a large constant
  const expected = Math.sqrt(E.dot(G, G) * E.dot(Y, Y));
  const size = Math.max(Math.abs(before), Math.abs(after));
  const change = Math.abs(after - before);
  if (!(change > OF_GRADIENT * expected + OF_VALUE * size)) return on;
  const what = `f is no function on ${on.name}: it changes by ${digits(change / size)} of itself ${quotient.text}`;
  notes.push(`${what}; the run and its certificate take ${quotient.without.name}`);
  return quotient.without;
}
