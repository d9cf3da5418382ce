import { stiefelConstraint } from "../constraints/stiefel.js";
import { inverseRoot } from "../linalg/inverse-root.js";
import type { Engine, Small, Tall } from "../types.js";

/**
 * A tangent vector at X in the frame of X: D = X·Ω + Z with Ω skew and XᵀZ = 0, kept as the pair (Z, Ω). The pair is what moves from
 * point to point: vectors of different points are added as they are, and nothing is transported. Where n = p, Z is 0 and left out.
 */
export interface Tangent {
  /** n×p */
  readonly Z: Tall | undefined;
  /** p×p, skew */
  readonly O: Small;
}

/** ‖WᵀW − I‖ from which the dissolving map is applied a last time: it leaves ¾ of its square. */
const DISSOLVED = 1e-5;

export interface Frame {
  /** rows lie on several processes: sums over them are messages */
  readonly spread: boolean;
  /** a new one; `Z`: a matrix to use, where there is a Z */
  tangent(Z?: Tall): Tangent;
  inner(A: Tangent, B: Tangent): number;
  /** r_i ← ⟨A_i, B⟩ */
  inners(r: Float64Array, As: readonly Tangent[], B: Tangent): void;
  /** C ← a·A + b·B; C may be A or B */
  combine(C: Tangent, a: number, A: Tangent, b: number, B: Tangent): void;
  /** C ← Σ c_i·A_i + b·C */
  combination(C: Tangent, c: Float64Array, As: readonly Tangent[], b?: number): void;
  /** Returns f(X) with, for G = ∇f(X) and N = XᵀG, S ← sym N, the multiplier; g ← (G − XN, skew N), the Riemannian gradient. */
  gradient(g: Tangent, S: Small, X: Tall, fg: (G: Tall, X: Tall) => number): number;
  /** Y ← the polar factor of X + tD = X(I + tΩ) + tZ; false where it has none */
  retract(Y: Tall, X: Tall, t: number, D: Tangent): boolean;
}

export function frame(E: Engine, n: number, p: number): Frame {
  const [W, K, R] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
  const on = stiefelConstraint(E, n, p);
  const root = inverseRoot(E, p, DISSOLVED);
  let ofO = new Float64Array(8);
  return {
    spread: E.ranks !== undefined,
    tangent: (Z) => ({ Z: n > p ? (Z ?? E.tall(n, p)) : undefined, O: E.small(p, p) }),
    inner: (A, B) => (A.Z ? E.dot(A.Z, B.Z!) : 0) + E.dot(A.O, B.O),
    inners(r, As, B) {
      if (ofO.length < As.length) ofO = new Float64Array(As.length);
      E.dots(ofO, As.map(skew), As.length, B.O);
      if (B.Z) E.dots(r, As.map(rest), As.length, B.Z);
      else r.fill(0, 0, As.length);
      for (let i = 0; i < As.length; i++) r[i]! += ofO[i]!;
    },
    combine(C, a, A, b, B) {
      if (C.Z) E.combine(C.Z, a, A.Z!, b, B.Z!);
      E.combine(C.O, a, A.O, b, B.O);
    },
    combination(C, c, As, b = 0) {
      if (C.Z) E.combination(C.Z, c, As.map(rest), As.length, b);
      E.combination(C.O, c, As.map(skew), As.length, b);
    },
    gradient({ Z, O }, S, X, fg) {
      const G = Z ?? W;
      const value = fg(G, X);
      if (!Number.isFinite(value)) return value;
      on.multiplier(S, X, G, K);
      if (Z) on.normal(Z, X, K, -1);
      E.combine(O, 1, K, -1, S);
      return value;
    },
    retract(Y, X, t, { Z, O }) {
      E.combine(K, t, O, 0, O);
      E.addDiagonal(K, 1);
      E.mul(W, X, K);
      if (Z) E.combine(W, t, Z, 1, W);
      E.gram(K, W);
      if (!root(R, K)) return false;
      E.mul(Y, W, R);
      return true;
    },
  };
}

const rest = ({ Z }: Tangent): Tall => Z!;
const skew = ({ O }: Tangent): Small => O;
