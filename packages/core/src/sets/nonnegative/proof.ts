/** A global minimum of a convex f over X ≥ 0, XᵀX = I, in O(np) */

import type { Size } from "./labels.js";

/** Bound of f(X) − f* with the dual matrices of the proof */
export interface Proof {
  readonly gapBound: number;
  /** ‖max(0, C − XS)‖_F, 0 at an exact proof */
  readonly residual: number;
  /** Λ = max(0, XS − C), the multipliers of X ≥ 0 */
  readonly Lambda: Float64Array;
}

/**
 * With C = −∇f(X), d_k = max(0, ⟨x_k, c_k⟩), S = √d·√dᵀ ⪰ 0 and Λ = max(0, XS − C) ≥ 0, every feasible Z has ⟨Λ, Z⟩ ≥ 0 and singular
 * values 1, so with E = max(0, C − XS), for which C + Λ = XS + E,
 *
 *     ⟨C, Z⟩ ≤ ⟨C + Λ, Z⟩ ≤ ‖XS + E‖_* ≤ tr S + √p·‖E‖_F,
 *     f* ≥ min_Z f(X) − ⟨C, Z − X⟩ ≥ f(X) − (tr S + √p·‖E‖_F − ⟨C, X⟩)        for convex f,
 *
 * where ⟨C, X⟩ = Σ⟨x_k, c_k⟩ = tr S if none of these is negative (docs/certificates.md). ‖XS‖_* = ‖X√d‖‖√d‖ ≤ (1 + η)·tr S for an X
 * with ‖XᵀX − I‖ ≤ η. Rounding of the sums is added.
 */
export function globalProof(X: Float64Array, G: Float64Array, { n, p }: Size, eta: number): Proof {
  const own = new Float64Array(p);
  let [products, squares] = [0, 0];
  for (const [k, x] of X.entries()) {
    own[k % p]! -= G[k]! * x;
    products += Math.abs(G[k]! * x);
    squares += G[k]! * G[k]!;
  }
  const root = own.map((d) => Math.sqrt(Math.max(d, 0)));
  const trace = root.reduce((sum, r) => sum + r * r, 0);
  const Lambda = new Float64Array(n * p);
  let residual = 0;
  for (let i = 0; i < n; i++) {
    let weight = 0;
    for (let k = 0; k < p; k++) weight += X[i * p + k]! * root[k]!;
    for (let j = 0; j < p; j++) {
      const excess = -G[i * p + j]! - weight * root[j]!;
      if (excess > 0) residual += excess * excess;
      else Lambda[i * p + j] = -excess;
    }
  }
  residual = Math.sqrt(residual);
  const inner = own.reduce((sum, d) => sum + d, 0);
  // sums of n terms, of absolute values `products`; XS and E to some roundoff each
  const rounding = 2 ** -52 * ((n + p + 4) * products + 4 * Math.sqrt(p) * Math.sqrt(squares));
  const gapBound = (1 + eta) * trace + Math.sqrt(p) * residual - inner + rounding;
  return { gapBound: Math.max(gapBound, rounding), residual, Lambda };
}
