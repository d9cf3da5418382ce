/** The formulas that follow from K(X) = XᵀBX − I: once for all algebras and all B. Letters and statements are those of [Xiao, Liu 2024]. */
import type { Engine, Small, Tall } from "@expen/linalg";
import { eigenvalues } from "@expen/linalg/dense";
import type { Point } from "../contracts/point.js";

/**
 * The constraint dissolving map A(X) = X(I − ½K) and what belongs to it. The paper has B = I; with Φ(M) = (M + Mᵀ)/2 and V = Φ(XᵀBD),
 *
 *     K(X + D) = K + 2V + DᵀBD,
 *     A(X + D) = A(X) + 𝒥(D) − D·V − ½X·DᵀBD − ½D·DᵀBD,   𝒥(D) = D(I − ½K) − X·V          (Prop. 2.7; the paper's sign is wrong)
 *     ⟨𝒥(D), G⟩ = ⟨D, 𝒥ᵀ(G)⟩,   𝒥ᵀ(G) = G(I − ½K) − BX·Φ(XᵀG),                           (Prop. 2.8: for B = I, 𝒥ᵀ = 𝒥)
 *     ∇(f∘A)(X) = 𝒥ᵀ(G),   ∇h(X) = G(I − ½K) + BX·(βK − S),   G = ∇f(A(X)),   S = Φ(XᵀG).
 *
 * Results go to the first argument. Nothing is remembered of a point: keep K and S to use them again.
 */
export interface Dissolver {
  /** K ← XᵀBX − I, returns ‖K‖ */
  K(K: Small, x: Point): number;
  /** S ← Φ(XᵀG), the multiplier where X is feasible and G = ∇f(X); M ← XᵀG where it is given */
  S(S: Small, x: Point, G: Tall, M?: Small): void;
  /** Z ← Z + a·BX·C, a normal vector: K'(X)ᵀ[C] = 2·BX·C for C = Cᵀ */
  normal(Z: Tall, x: Point, C: Small, a?: number): void;
  /** Y ← A(X) and K ← K(X), returns ‖K‖. A(X) = X where K = 0, and K(A(X)) = (¼K − ¾I)K² */
  A(Y: Tall, x: Point, K: Small): number;
  /** V ← Φ(XᵀBD), half of the derivative of K, and J ← 𝒥(D) = D(I − ½K) − X·V, that of A (Prop. 2.7) */
  jacobian(J: Tall, D: Point, x: Point, K: Small, V: Small): void;
  /** H ← G(I − ½K) + BX·C: 𝒥ᵀ(G) for C = −S, and ∇h(X) for C = βK − S (Prop. 2.8) */
  adjoint(H: Tall, G: Tall, x: Point, K: Small, C: Small): void;
  /** H ← the derivative of `adjoint` along D: dG(I − ½K) − G·V + BD·C + BX·dC (Prop. 2.9) */
  adjointAlong(H: Tall, G: Tall, x: Point, K: Small, C: Small, along: Along): void;

  // At a feasible X, where K = 0:
  /** Z ← P(Z) = Z − BX·S, S ← Φ(XᵀZ), which is 𝒥ᵀ(Z): of ∇f(X) the Riemannian gradient */
  tangent(Z: Tall, x: Point, S?: Small): void;
  /** H ← H − BD·S, the derivative along D of the normal vector BX·S subtracted from that of ∇f */
  shift(H: Tall, D: Point, x: Point, S: Small): void;
  /** H ← P(H − BD·S): of H = ∇²f(X)[D] the Riemannian Hessian along D, S the multiplier at X */
  hessian(H: Tall, D: Point, x: Point, S: Small): void;
  /**
   * J ← 𝒥(D) = D − X·Φ(XᵀBD), the tangent vector that D stands for. For B = I this is `tangent`; else gradients are no tangent vectors,
   * and f∘A has the Hessian 𝒥ᵀ∘(∇²f − B·S)∘𝒥.
   */
  direction(J: Tall, x: Point, D: Point): void;

  /** the eigenvalues of S, in ascending order; of a product those of all parts */
  eigenvalues(S: Small): Float64Array;
}

/** How the arguments of `adjoint` move along D: ½K by V, G by dG, C by dC */
export interface Along {
  readonly D: Point;
  readonly V: Small;
  readonly dG: Tall;
  readonly dC: Small;
}

/** Of K(X) = XᵀBX − I in the algebra of E. Holds two small matrices. With B = I, h costs 9np² + 4p³ flops (Table 1 of the paper). */
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
