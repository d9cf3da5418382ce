import type { Constraint } from "../../constraints/constraint.js";
import type { Engine, Small, Tall } from "../../types.js";

/**
 * A tangent vector at X in the frame of X: D = X·Ω + Z with Ω skew and XᵀZ = 0, kept as the pair (Z, Ω). The pair is what moves from
 * point to point: vectors of different points are added as they are, and nothing is transported. Where n = p, Z is 0 and left out; for
 * columns of length 1, and where there is no constraint, Ω is.
 */
export interface Tangent {
  /** n×p; of a product the Z of all parts as one matrix */
  readonly Z: Tall | undefined;
  /** p×p, skew */
  readonly O: Small | undefined;
  /** of a product */
  readonly parts?: readonly Tangent[];
}

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
  /** where ∇f is written for `split`: g.Z itself, where there is one */
  room(g: Tangent): Tall;
  /** For G = ∇f(X), in `room(g)`, and N = XᵀG: S ← sym N, the multiplier; g ← (G − XN, skew N), the Riemannian gradient. */
  split(g: Tangent, S: Small, X: Tall, G: Tall): void;
  /** ‖grad f‖² of the gradient g at X, where that is not ⟨g, g⟩ */
  square?(g: Tangent, X: Tall): number;
  /** no step is longer than this */
  readonly reach: number;
  /** Y ← the way back from X + tD = X(I + tΩ) + tZ, for XᵀX = I its polar factor */
  retract(Y: Tall, X: Tall, t: number, D: Tangent): void;
  /** ‖Y − X‖ of two points, to half of the digits, where all points are of one length: the way back makes a long step shorter */
  chord?(X: Tall, Y: Tall): number;
}

/** Of real or complex orthonormal columns, of unit columns and of no constraint, each on the engine of its algebra */
export function frame(E: Engine, on: Constraint): Frame {
  const { n, p } = on;
  const turns = on.frame === "basis";
  const leaves = !turns || n > p;
  const [W, K] = [E.tall(n, p), E.small(p, p)];
  const restore = on.restorer();
  let ofO = new Float64Array(8);
  return {
    spread: E.ranks !== undefined,
    reach: on.reach,
    tangent: (Z) => ({ Z: leaves ? (Z ?? E.tall(n, p)) : undefined, O: turns ? E.small(p, p) : undefined }),
    inner: (A, B) => (A.Z ? E.dot(A.Z, B.Z!) : 0) + (A.O ? E.dot(A.O, B.O!) : 0),
    inners(r, As, B) {
      const count = As.length;
      if (B.Z) E.dots(r, As.map(rest), count, B.Z);
      else r.fill(0, 0, count);
      if (!B.O) return;
      if (ofO.length < count) ofO = new Float64Array(count);
      E.dots(ofO, As.map(skew), count, B.O);
      for (let i = 0; i < count; i++) r[i]! += ofO[i]!;
    },
    combine(C, a, A, b, B) {
      if (C.Z) E.combine(C.Z, a, A.Z!, b, B.Z!);
      if (C.O) E.combine(C.O, a, A.O!, b, B.O!);
    },
    combination(C, c, As, b = 0) {
      if (C.Z) E.combination(C.Z, c, As.map(rest), As.length, b);
      if (C.O) E.combination(C.O, c, As.map(skew), As.length, b);
    },
    room: ({ Z }) => Z ?? W,
    split({ Z, O }, S, X, G) {
      on.multiplier(S, X, G, K);
      if (Z) on.normal(Z, X, K, -1);
      if (O) E.combine(O, 1, K, -1, S);
    },
    retract(Y, X, t, { Z, O }) {
      if (O) {
        E.combine(K, t, O, 0, O);
        E.addDiagonal(K, 1);
        E.mul(W, X, K);
      }
      if (Z) E.combine(W, t, Z, 1, O ? W : X);
      restore(Y, W);
    },
    // ‖X‖ is the reach
    ...(on.reach < Number.POSITIVE_INFINITY && {
      chord: (X: Tall, Y: Tall): number => Math.sqrt(Math.max(0, 2 * (on.reach ** 2 - E.dot(X, Y)))),
    }),
  };
}

const rest = ({ Z }: Tangent): Tall => Z!;
const skew = ({ O }: Tangent): Small => O!;
