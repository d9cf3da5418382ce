import type { Constraint } from "../constraints/constraint.js";
import { pointOf } from "../constraints/point.js";
import { stiefelConstraint } from "../constraints/stiefel.js";
import { hessianAt } from "../objective/objective.js";
import type { Engine, Objective, Point, Small, Tall } from "../types.js";
import { multiplierShift } from "./shift.js";

/** ExPen as an objective whose β and multiplier shift M can be changed between runs. */
export interface ExPen extends Objective {
  beta: number;
  /** Symmetric p×p; zero until it is set. Write into it with engine operations. */
  readonly M: Small;
  /** Says that M is in use (true) or zero (false: its p×p products are saved). */
  shifted: boolean;
  /** ‖XᵀX − I‖_F at the last point of f or fg. */
  readonly feasibility: number;
}

/**
 * The exact penalty of Xiao and Liu, with an optional multiplier shift M:
 *
 *     h(X) = f_M(A(X)) + β/4·‖K‖²,   K = XᵀX − I,   A(X) = X·T,   T = I − K/2,
 *     f_M(Y) = f(Y) − ½⟨M, YᵀY − I⟩,
 *
 * where f_M = f on the manifold. As A(X)ᵀA(X) − I = (K/4 − ¾I)K², the shift is p×p work alone. With N = KM and P = K(N/2 + Nᵀ/4)
 *
 *     h(X)  = f(Y) + β/4·‖K‖² + ⅜⟨N, K⟩ − ⅙⟨P, K⟩,                     Y = A(X), G = ∇f(Y),
 *     ∇h(X) = G·T + X·(βK + Q − sym(XᵀG)),                            Q = 3/2·sym(N) − sym(P),
 *
 * so that 3/2·M is a matrix-valued addition to β: at a feasible stationary point with multiplier S = sym(Xᵀ∇f) the Hessian of h has the
 * normal eigenvalues 2β + 3/2·(μ_i + μ_j) for the eigenvalues μ of M − S. [Xiao, Liu 2024, Prop. 2.8, 2.9; Thm 3.6; docs/penalty.md]
 *
 * All of it goes through the dissolver of `on`, whose A is of the same form (constraints/dissolver.ts).
 * Value and gradient cost one call of f and 9np² + 4p³ flops; a Hessian-vector product one of ∇²f and 18np².
 */
export function expen(E: Engine, f: Objective, beta: number, on: Constraint = stiefelConstraint(E, f.n, f.p)): ExPen {
  const { n, p } = f;
  const [K, C, S] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  const [M, Q] = [E.small(p, p), E.small(p, p)];
  const shift = multiplierShift(E, p);
  const [Y, G] = [E.tall(n, p), E.tall(n, p)];
  const d = on.dissolver;
  const at = pointOf(E, on);

  /** K, Y = A(X) and, in Q, what the shift adds; returns the part of h that does not need f */
  function dissolve(x: Point): number {
    h.feasibility = d.A(Y, x, K);
    return (h.beta / 4) * h.feasibility ** 2 + (h.shifted ? shift(Q, K, M) : 0);
  }

  /** C ← βK + sym(Q) − S, S ← sym(XᵀG) */
  function coefficient(x: Point): void {
    d.S(S, x, G);
    E.combine(C, h.beta, K, -1, S);
    if (!h.shifted) return;
    E.combine(C, 1, C, 1, Q);
    E.symmetrize(C);
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

  const h: ExPen & { feasibility: number } = {
    n,
    p,
    beta,
    M,
    shifted: false,
    feasibility: 0,
    f: (X) => dissolve(at(X)) + f.f(Y),
    fg,
  };
  if (f.hvp || f.linearize) addHessian();
  return h;

  /**
   * J = D·T − X·V is the derivative of A along D, V = sym(XᵀD) that of ½K; with W = ∇²f(Y)[J]
   *
   *     ∇²h(X)[D] = W·T − G·V + D·C + X·R,   C = βK + Q − sym(XᵀG),   R = 2βV + dQ − sym(XᵀW + DᵀG),
   *     dQ = 3·sym(VM) − sym(V(KM + ½MK)) − sym(K(VM + ½MV)).
   */
  function addHessian(): void {
    const [V, R, N] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    const [J, W] = [E.tall(n, p), E.tall(n, p)];
    const along = pointOf(E, on);
    h.linearize = (X) => {
      const x = at(X);
      dissolve(x);
      f.fg(G, Y);
      coefficient(x);
      const hessian = hessianAt(f, Y)!;
      return (H, D) => {
        const direction = along(D);
        d.jacobian(J, direction, x, K, V);
        hessian(W, J);
        d.S(R, x, W);
        d.S(N, direction, G);
        E.combine(R, -1, R, -1, N);
        E.combine(R, 2 * h.beta, V, 1, R);
        if (h.shifted) {
          E.mul(R, V, M, 3, 1);
          E.mul(N, K, M);
          E.mul(R, V, N, -1, 1);
          E.mul(N, M, K);
          E.mul(R, V, N, -0.5, 1);
          E.mul(N, V, M);
          E.mul(N, M, V, 0.5, 1);
          E.mul(R, K, N, -1, 1);
          E.symmetrize(R);
        }
        d.adjointAlong(H, G, x, K, C, { D: direction, V, dG: W, dC: R });
      };
    };
    h.hvp = (H, X, D) => h.linearize!(X)(H, D);
  }
}
