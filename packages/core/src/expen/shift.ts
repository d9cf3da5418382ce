import type { Engine, Small } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { type ExPen, expen, type TermOfK } from "./penalty.js";

/** The penalty with its multiplier shift M */
export interface ShiftedExPen extends ExPen {
  /** symmetric p×p, zero at first. Write into it with engine operations. */
  readonly M: Small;
}

/**
 * ExPen of f_M(Y) = f(Y) − ½⟨M, YᵀY − I⟩, which is f on the manifold, for a symmetric M (ours, not the paper's). As
 * A(X)ᵀA(X) − I = (¼K − ¾I)K², the shift is a function of K alone, and costs p×p products (`shiftTerm`).
 *
 * To first order in K it adds 3/2·sym(KM) to βK: 3/2·M is a matrix-valued addition to β. At a feasible stationary point with multiplier
 * S = sym(Xᵀ∇f) the normal eigenvalues of ∇²h are 2β + 3/2·(μ_i + μ_j) for the eigenvalues μ of M − S: with M = S every β > 0 is large
 * enough. (docs/penalty.md; decision 0005)
 */
export function shiftedExpen(E: Engine, f: Objective, beta: number, on?: Constraint): ShiftedExPen {
  const M = E.small(f.p, f.p);
  return Object.assign(expen(E, f, beta, on, shiftTerm(E, M)), { M });
}

/**
 * With N = KM and P = K(N/2 + Nᵀ/4)
 *
 *     ψ(K) = −½⟨M, (¼K − ¾I)K²⟩ = ⅜⟨N, K⟩ − ⅙⟨P, K⟩,   2∇ψ(K) = sym(3/2·N − P),
 *
 * and where K moves by 2V, 2∇ψ moves by 3·sym(VM) − sym(V(KM + ½MK)) − sym(K(VM + ½MV)).
 */
function shiftTerm(E: Engine, M: Small): TermOfK {
  const p = M.rows;
  const [N, P, Q] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  return {
    value(K) {
      E.mul(N, K, M);
      // N/2 + Nᵀ/4 = sym(N)/2 + N/4
      E.copy(Q, N);
      E.symmetrize(Q);
      E.combine(Q, 0.25, N, 0.5, Q);
      E.mul(P, K, Q);
      E.combine(Q, 1.5, N, -1, P);
      return 0.375 * E.dot(N, K) - E.dot(P, K) / 6;
    },
    addGradient(C) {
      E.combine(C, 1, C, 1, Q);
      E.symmetrize(C);
    },
    addDerivative(R, K, V) {
      E.mul(R, V, M, 3, 1);
      E.mul(N, K, M);
      E.mul(R, V, N, -1, 1);
      E.mul(N, M, K);
      E.mul(R, V, N, -0.5, 1);
      E.mul(N, V, M);
      E.mul(N, M, V, 0.5, 1);
      E.mul(R, K, N, -1, 1);
      E.symmetrize(R);
    },
  };
}
