/** The formulas of a constraint in the letters of [Xiao, Liu 2024]; manifolds/dissolver.ts has those of K(X) = XᵀBX − I. */
import type { Small, Tall } from "@expen/linalg";
import type { Point } from "./point.js";

/** K, A and their derivatives. Results go to the first argument. Nothing is remembered of a point: keep K and S to use them again. */
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
