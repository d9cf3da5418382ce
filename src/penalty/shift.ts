import type { Engine, Small } from "../types.js";

/**
 * What the multiplier shift −½⟨M, YᵀY − I⟩, Y = A(X), adds to the penalty: with N = KM and P = K(N/2 + Nᵀ/4) the function returned does
 *
 *     Q ← 3/2·N − P (its symmetric part is what ∇h needs),   returns ⅜⟨N, K⟩ − ⅙⟨P, K⟩.
 */
export function multiplierShift(E: Engine, p: number): (Q: Small, K: Small, M: Small) => number {
  const [N, P, S] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  return (Q, K, M) => {
    E.mul(N, K, M);
    // N/2 + Nᵀ/4 = sym(N)/2 + N/4
    E.copy(S, N);
    E.symmetrize(S);
    E.combine(S, 0.25, N, 0.5, S);
    E.mul(P, K, S);
    E.combine(Q, 1.5, N, -1, P);
    return 0.375 * E.dot(N, K) - E.dot(P, K) / 6;
  };
}
