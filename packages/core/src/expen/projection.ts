/**
 * The end of a run on h, formula (3.5) of [Xiao, Liu 2024]:
 *
 *     X → 𝒫(X) = UVᵀ = X(XᵀX)^(−1/2),   X = UΣVᵀ,
 *
 * the nearest point of the manifold, by `polar`. Other manifolds have their own (`project` of a constraint).
 */
export { polar } from "@expen/linalg/dense";

/** The tube around the manifold in which Prop. 3.9 and Lemmas 3.10 and 3.11 hold: ‖K‖ ≤ this */
export const TUBE: number = 1 / 6;

/**
 * Prop. 3.9: h(𝒫(X)) ≤ h(X) − (β/4 − M₁/2)‖K‖² where ‖K‖ ≤ 1/6, with M₁ ≥ ‖∇f(A(Z))‖ for ‖Z‖₂ ≤ 13/12. Hence the projection does not
 * raise h where β ≥ 2M₁.
 */
export const projectionGain = (beta: number, M1: number, K: number): number => (beta / 4 - M1 / 2) * K ** 2;
