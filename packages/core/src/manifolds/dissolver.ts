/** The formulas that follow from K(X) = XᵀBX − I: once for all algebras and all B. Letters and statements are those of [Xiao, Liu 2024]. */
import type { Engine, Small } from "@expen/linalg";
import { eigenvalues } from "@expen/linalg/dense";
import type { Dissolver } from "../contracts/dissolver.js";

/**
 * The constraint dissolving map A(X) = X(I − ½K) and what belongs to it. The paper has B = I; with Φ(M) = (M + Mᵀ)/2 and V = Φ(XᵀBD),
 *
 *     K(X + D) = K + 2V + DᵀBD,
 *     A(X + D) = A(X) + 𝒥(D) − D·V − ½X·DᵀBD − ½D·DᵀBD,   𝒥(D) = D(I − ½K) − X·V          (Prop. 2.7; the paper's sign is wrong)
 *     ⟨𝒥(D), G⟩ = ⟨D, 𝒥ᵀ(G)⟩,   𝒥ᵀ(G) = G(I − ½K) − BX·Φ(XᵀG),                           (Prop. 2.8: for B = I, 𝒥ᵀ = 𝒥)
 *     ∇(f∘A)(X) = 𝒥ᵀ(G),   ∇h(X) = G(I − ½K) + BX·(βK − S),   G = ∇f(A(X)),   S = Φ(XᵀG).
 *
 * It holds two small matrices. With B = I, h costs 9np² + 4p³ flops (Table 1 of the paper).
 */
export function dissolver(E: Engine, p: number): Dissolver {
  const [T, own] = [E.small(p, p), E.small(p, p)];
  /** T ← I − ½K */
  const factor = (K: Small): void => {
    E.combine(T, -0.5, K, 0, K);
    E.addDiagonal(T, 1);
  };
  const d: Dissolver = {
    K(K, { X, BX }) {
      if (X === BX) E.gram(K, X);
      else {
        E.tmul(K, X, BX);
        E.symmetrize(K);
      }
      E.addDiagonal(K, -1);
      return Math.sqrt(E.dot(K, K));
    },
    S(S, { X }, G, M) {
      E.tmul(M ?? S, X, G);
      if (M) E.copy(S, M);
      E.symmetrize(S);
    },
    normal: (Z, { BX }, C, a = 1) => E.mul(Z, BX, C, a, 1),
    A(Y, x, K) {
      const violation = d.K(K, x);
      factor(K);
      E.mul(Y, x.X, T);
      return violation;
    },
    jacobian(J, D, x, K, V) {
      d.S(V, x, D.BX);
      factor(K);
      E.mul(J, D.X, T);
      E.mul(J, x.X, V, -1, 1);
    },
    adjoint(H, G, x, K, C) {
      factor(K);
      E.mul(H, G, T);
      d.normal(H, x, C);
    },
    adjointAlong(H, G, x, K, C, { D, V, dG, dC }) {
      d.adjoint(H, dG, x, K, dC);
      E.mul(H, G, V, -1, 1);
      d.normal(H, D, C);
    },
    tangent(Z, x, S = own) {
      d.S(S, x, Z);
      d.normal(Z, x, S, -1);
    },
    shift: (H, D, _x, S) => d.normal(H, D, S, -1),
    hessian(H, D, x, S) {
      d.shift(H, D, x, S);
      d.tangent(H, x);
    },
    direction(J, x, D) {
      d.S(own, x, D.BX);
      E.copy(J, D.X);
      E.mul(J, x.X, own, -1, 1);
    },
    eigenvalues: (S) => eigenvalues(E, S),
  };
  return d;
}
