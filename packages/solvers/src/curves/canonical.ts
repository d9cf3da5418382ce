import type { Geometry } from "@expen/core";
import { dissolver } from "@expen/core";
import { type Retract, retraction } from "@expen/core/methods";
import type { Engine, Small } from "@expen/linalg";

/** The Stiefel manifold with the gradients of another metric, and with the norm of the Euclidean one. */
interface WeightedStiefel extends Geometry {
  /** ‖Ω‖² at the point of the last call of `project`, Ω = skew(XᵀG) */
  omega: number;
  /** XᵀG at that point */
  readonly M: Small;
  /** ‖∇f − X·sym(Xᵀ∇f)‖ at that point, the norm of the gradient of the Euclidean metric, from ‖D_ρ‖² */
  euclideanNorm(dd: number): number;
  /** ⟨G, D_ρ⟩ at that point, minus the slope of f along −D_ρ, from ‖D_ρ‖² */
  rate(dd: number): number;
}

/**
 * The gradients of [Jiang, Dai, Math. Program. 153, 2015]: with P⊥ = I − XXᵀ and Ω = skew(XᵀG)
 *
 *     D_ρ = G − X(2ρ·GᵀX + (1 − 2ρ)·XᵀG) = P⊥G + 4ρ·XΩ,    ‖D_ρ‖² = ‖P⊥G‖² + 16ρ²‖Ω‖²,    ⟨G, D_ρ⟩ = ‖P⊥G‖² + 4ρ‖Ω‖².
 *
 * ρ = ½ gives the gradient G − XGᵀX of the canonical metric [Edelman, Arias, Smith 1998], ρ = ¼ that of the Euclidean metric, ρ = 0 its
 * part P⊥G alone. `project` maps G to D_ρ, which is a projection for ρ = ¼ only.
 */
export function weightedStiefel(E: Engine, p: number, retract: Retract, rho: number = 1 / 2): WeightedStiefel {
  const [M, S, W] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  const d = dissolver(E, p);
  const geometry: WeightedStiefel = {
    name: `stiefel (ρ = ${rho})`,
    retract: retraction(retract),
    omega: 0,
    M,
    euclideanNorm: (dd) => Math.sqrt(Math.max(0, dd - (16 * rho * rho - 1) * geometry.omega)),
    rate: (dd) => dd - (16 * rho * rho - 4 * rho) * geometry.omega,
    project(Z, x) {
      d.S(S, x, Z, M);
      // W = Ω; D_ρ = Z − X·M + 4ρ·X·Ω
      E.combine(W, 1, M, -1, S);
      geometry.omega = E.dot(W, W);
      E.combine(S, 1, M, -4 * rho, W);
      d.normal(Z, x, S, -1);
    },
    hessian() {},
  };
  return geometry;
}
