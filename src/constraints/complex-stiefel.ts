import { extremeEigenvalues } from "../linalg/symmetric-eigenvalues.js";
import type { Engine } from "../types.js";
import type { Constraint } from "./constraint.js";
import { stiefelConstraint } from "./stiefel.js";
import { projector, randomPoint, restorer } from "./ways-back.js";

/**
 * Orthonormal columns of complex numbers, XᴴX = I, for n = p the unitary matrices: the formulas of the Stiefel manifold on an engine of
 * complex matrices (engines/algebras/complex.ts). ‖·‖ and ⟨·,·⟩ = Re tr XᴴY are those of ℝ²ⁿᵖ, so ∇f has the parts ∂f/∂Re and ∂f/∂Im.
 */
export function complexStiefelConstraint(E: Engine, n: number, p: number): Constraint {
  const stiefel = stiefelConstraint(E, n, p);
  const on: Constraint = {
    ...stiefel,
    name: "complex-stiefel",
    dimension: 2 * n * p - p * p,
    orthonormal: false,
    // unitary matrices are connected too
    reflections: undefined,
    eigenvalues: (S) => hermitianEigenvalues(E.read(S), p),
    spread(S) {
      const w = on.eigenvalues(S);
      return w[p - 1]! - w[0]!;
    },
    restorer: (tolerance) => restorer(E, stiefel, tolerance),
    projector: () => projector(E, stiefel),
    random: randomPoint(E, stiefel),
  };
  return on;
}

/** Of the real matrix [[Re, −Im], [Im, Re]], which has each of them twice */
function hermitianEigenvalues(numbers: Float64Array, p: number): Float64Array {
  const data = new Float64Array(4 * p * p);
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) {
      const [re, im] = [numbers[i * p + j]!, numbers[p * p + i * p + j]!];
      data[i * 2 * p + j] = re;
      data[(p + i) * 2 * p + p + j] = re;
      data[i * 2 * p + p + j] = -im;
      data[(p + i) * 2 * p + j] = im;
    }
  }
  const all = extremeEigenvalues({ rows: 2 * p, cols: 2 * p, data }, 2 * p, 0).smallest;
  return Float64Array.from({ length: p }, (_, j) => (all[2 * j]! + all[2 * j + 1]!) / 2);
}
