import type { Engine, Small, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import type { Point } from "../contracts/point.js";
import { pointOf } from "../manifolds/point.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { hessianAt } from "../objective/hessian-at.js";

/** h with a β that can be changed between runs */
export interface ExPen extends Objective {
  beta: number;
  /** ‖K‖ = ‖XᵀX − I‖ at the last point of f or fg */
  readonly feasibility: number;
}

/** A function ψ of K, added to the penalty β/4·‖K‖² by p×p products; shift.ts has one. */
export interface TermOfK {
  /** ψ(K); the other two are asked at this K */
  value(K: Small): number;
  /** C ← C + 2∇ψ(K) */
  addGradient(C: Small): void;
  /** R ← R + the derivative of 2∇ψ(K) where K moves by 2V */
  addDerivative(R: Small, K: Small, V: Small): void;
}

/**
 * The exact penalty of Xiao and Liu [J. Comput. Math. 42, 2024], formula (1.1):
 *
 *     h(X) = f(A(X)) + β/4·‖K‖²,   K = XᵀX − I,   A(X) = X(3/2·I − 1/2·XᵀX) = X(I − ½K).
 *
 * With G = ∇f(Y), 𝓗 = ∇²f(Y) at Y = A(X), S = sym(XᵀG), and 𝒥(D) = D(I − ½K) − X·sym(DᵀX), the derivative of A (Prop. 2.7), which is its
 * own adjoint (2.2),
 *
 *     Prop. 2.8   ∇h(X)     = G(I − ½K) − X·S + βXK,
 *     Prop. 2.9   ∇²h(X)[D] = 𝒥(𝓗[𝒥(D)]) − D·S − X·sym(DᵀG) − G·sym(DᵀX) + β(2X·sym(XᵀD) + DK).
 *
 * Table 1: a value with its gradient costs 1 FO + 9np², one call of f with ∇f and XᵀX, X(I − ½K), XᵀG, G(I − ½K), X(βK − S); beside that
 * p×p operations. A product with ∇²h costs one with ∇²f and 18np².
 *
 * On another manifold `on`, XᵀBX = I say, K, A, S and 𝒥 are those of its dissolver (manifolds/dissolver.ts). With `also` the penalty is
 * β/4·‖K‖² + ψ(K).
 */
export function expen(
  E: Engine,
  f: Objective,
  beta: number,
  on: Constraint = stiefelConstraint(E, f.n, f.p),
  also?: TermOfK,
): ExPen {
  const { n, p } = f;
  const [K, S, C] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  const [Y, G] = [E.tall(n, p), E.tall(n, p)];
  const d = on.dissolver;
  const at = pointOf(E, on);
  const h: ExPen & { feasibility: number } = { n, p, beta, feasibility: 0, f: (X) => dissolve(at(X)) + f.f(Y), fg };
  if (f.hvp || f.linearize) {
    const hessianOfH = hessian();
    h.linearize = hessianOfH;
    h.hvp = (H, X, D) => hessianOfH(X)(H, D);
  }
  return h;

  /** K and Y = A(X); returns β/4·‖K‖² */
  function dissolve(x: Point): number {
    h.feasibility = d.A(Y, x, K);
    return (h.beta / 4) * h.feasibility ** 2 + (also ? also.value(K) : 0);
  }

  /** C ← βK − S: Prop. 2.8 is ∇h = G(I − ½K) + X·C */
  function coefficient(x: Point): void {
    d.S(S, x, G);
    E.combine(C, h.beta, K, -1, S);
    also?.addGradient(C);
  }

  /** H ← ∇h(X), returns h(X) */
  function fg(H: Tall, X: Tall): number {
    const x = at(X);
    const penalty = dissolve(x);
    const value = f.fg(G, Y);
    coefficient(x);
    d.adjoint(H, G, x, K, C);
    return value + penalty;
  }

  /**
   * X ↦ (D ↦ ∇²h(X)[D]). With V = sym(XᵀD), J = 𝒥(D), W = 𝓗[J] the terms of Prop. 2.9 are
   *
   *     W(I − ½K) − G·V + D·C + X·R,   C = βK − S,   R = 2βV − sym(XᵀW) − sym(DᵀG).
   */
  function hessian(): (X: Tall) => (H: Tall, D: Tall) => void {
    const [V, R, N] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    const [J, W] = [E.tall(n, p), E.tall(n, p)];
    const along = pointOf(E, on);
    return (X) => {
      const x = at(X);
      dissolve(x);
      f.fg(G, Y);
      coefficient(x);
      const hessianOfF = hessianAt(f, Y)!;
      return (H, D) => {
        const direction = along(D);
        d.jacobian(J, direction, x, K, V);
        hessianOfF(W, J);
        d.S(R, x, W);
        d.S(N, direction, G);
        E.combine(R, -1, R, -1, N);
        E.combine(R, 2 * h.beta, V, 1, R);
        also?.addDerivative(R, K, V);
        d.adjointAlong(H, G, x, K, C, { D: direction, V, dG: W, dC: R });
      };
    };
  }
}
