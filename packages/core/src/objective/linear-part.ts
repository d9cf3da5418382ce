import type { Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { QuadraticForm } from "../contracts/objective.js";

/** Why there is no run of many steps */
export const IS_LINEAR = "f is linear on the manifold: the nearest point to −L";

/**
 * L of an f that is ⟨L, X⟩ + constant on the manifold, as far as its form shows: where XᵀX = I, ½⟨X, BXC⟩ is ½b·tr C for B = bI, and
 * ½c·tr B for square X and C = cI.
 */
export function linearPartOn(
  { traits, shape: { n, p } }: Constraint,
  form: QuadraticForm | undefined,
): Tall | undefined {
  if (!form?.L || !(traits.orthonormal || traits.isRotation)) return undefined;
  return form.multiple !== undefined || (n === p && !form.C) ? form.L : undefined;
}
