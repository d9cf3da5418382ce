import type { Engine } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import { unitMetric } from "./stiefel.js";
import { waysBack } from "./ways-back.js";

/**
 * Orthonormal columns of complex numbers, XᴴX = I, for n = p the unitary matrices: the formulas of the Stiefel manifold on an engine of
 * complex matrices (linalg/src/algebras/complex.ts). ‖·‖ and ⟨·,·⟩ = Re tr XᴴY are those of ℝ²ⁿᵖ, so ∇f has the parts ∂f/∂Re and ∂f/∂Im.
 * Unitary matrices are connected.
 */
export function complexStiefelConstraint(E: Engine, n: number, p: number): Constraint {
  const unit = unitMetric(E, n, p);
  return {
    ...unit,
    name: "complex-stiefel",
    dimension: 2 * n * p - p * p,
    traits: { orthonormal: false, coordinates: "basis" },
    ...waysBack(E, unit),
  };
}
