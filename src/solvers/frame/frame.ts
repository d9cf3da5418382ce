import type { Constraint } from "../../constraints/constraint.js";
import { plainPoint } from "../../constraints/point.js";
import type { Engine, Small, Tall } from "../../types.js";

/**
 * A tangent vector at X in the frame of X: D = X·Ω + Z with Ω skew and XᵀZ = 0, kept as the pair (Z, Ω). The pair is what moves from
 * point to point: vectors of different points are added as they are, and nothing is transported. Where n = p, Z is 0 and left out; for
 * columns of length 1, and where there is no constraint, Ω is; so it is as long as f has not felt a turn X → XQ of the columns.
 */
export interface Tangent {
  /** n×p; of a product the Z of all parts as one matrix */
  readonly Z: Tall | undefined;
  /** p×p, skew */
  O: Small | undefined;
  /** of a product */
  readonly parts?: readonly Tangent[];
}

export interface Frame {
  /** rows lie on several processes: sums over them are messages */
  readonly spread: boolean;
  /** a new one; `Z`: a matrix to use, where there is a Z */
  tangent(Z?: Tall): Tangent;
  inner(A: Tangent, B: Tangent): number;
  /** r_i ← ⟨A_i, B⟩ for the first `count` of As */
  inners(r: Float64Array, As: readonly Tangent[], count: number, B: Tangent): void;
  /** C ← a·A + b·B; C may be A or B */
  combine(C: Tangent, a: number, A: Tangent, b: number, B: Tangent): void;
  /** C ← Σ c_i·A_i + b·C over the first `count` of As */
  combination(C: Tangent, c: Float64Array, As: readonly Tangent[], count: number, b?: number): void;
  /** where ∇f is written for `split`: g.Z itself, where there is one */
  room(g: Tangent): Tall;
  /**
   * For G = ∇f(X), in `room(g)`, and N = XᵀG: S ← sym N, the multiplier; g ← (G − XN, skew N), the Riemannian gradient. True where it
   * is the first with an Ω: all tangent vectors have one from now on, and what was learned before knows nothing of it.
   */
  split(g: Tangent, S: Small, X: Tall, G: Tall): boolean;
  /** ‖grad f‖² of the gradient g at X, where that is not ⟨g, g⟩ */
  square?(g: Tangent, X: Tall): number;
  /** no step is longer than this */
  readonly reach: number;
  /** Y ← the way back from X + tD = X(I + tΩ) + tZ, for XᵀX = I its polar factor */
  retract(Y: Tall, X: Tall, t: number, D: Tangent): void;
  /** ‖Y − X‖ of two points, to half of the digits, where all points are of one length: the way back makes a long step shorter */
  chord?(X: Tall, Y: Tall): number;
}

/** skew N of less than this part of the largest sym N is rounding: f = f(XQ) for all rotations Q, and Ω would cost for nothing. */
const FELT = 1e-12;

/**
 * Of real or complex orthonormal columns, of unit columns and of no constraint, each on the engine of its algebra. `turning`: with an Ω
 * from the start
 */
export function frame(E: Engine, on: Constraint, turning = false): Frame {
  const { n, p } = on.shape;
  const turns = on.traits.coordinates === "basis";
  const leaves = !turns || n > p;
  let turned = turns && (turning || !leaves);
  /** those that will need an Ω when f turns out to feel it */
  const made: Tangent[] = [];
  let largest = 0;
  const [W, K] = [E.tall(n, p), E.small(p, p)];
  let ofO = new Float64Array(8);
  /** lists and coefficients that are written again and again: this runs at every step */
  const zs: Tall[] = [];
  const os: Small[] = [];
  const ofStep = new Float64Array(2);
  function rests(As: readonly Tangent[], count: number): Tall[] {
    for (let i = 0; i < count; i++) zs[i] = As[i]!.Z!;
    return zs;
  }
  function skews(As: readonly Tangent[], count: number): Small[] {
    for (let i = 0; i < count; i++) os[i] = As[i]!.O!;
    return os;
  }
  /** Is skew N, in K, more than rounding? */
  function felt(g: Tangent, S: Small): boolean {
    largest = Math.max(largest, E.dot(S, S));
    if (!(E.dot(K, K) > FELT ** 2 * largest)) return false;
    turned = true;
    for (const A of made) A.O = E.small(p, p);
    made.length = 0;
    E.copy(g.O!, K);
    return true;
  }
  return {
    spread: E.ranks !== undefined,
    reach: on.longestStep,
    tangent(Z) {
      const A = { Z: leaves ? (Z ?? E.tall(n, p)) : undefined, O: turned ? E.small(p, p) : undefined };
      if (turns && !turned) made.push(A);
      return A;
    },
    inner: (A, B) => (A.Z ? E.dot(A.Z, B.Z!) : 0) + (A.O ? E.dot(A.O, B.O!) : 0),
    inners(r, As, count, B) {
      if (B.Z) E.dots(r, rests(As, count), count, B.Z);
      else r.fill(0, 0, count);
      if (!B.O) return;
      if (ofO.length < count) ofO = new Float64Array(count);
      E.dots(ofO, skews(As, count), count, B.O);
      for (let i = 0; i < count; i++) r[i]! += ofO[i]!;
    },
    combine(C, a, A, b, B) {
      if (C.Z) E.combine(C.Z, a, A.Z!, b, B.Z!);
      if (C.O) E.combine(C.O, a, A.O!, b, B.O!);
    },
    combination(C, c, As, count, b = 0) {
      if (C.Z) E.combination(C.Z, c, rests(As, count), count, b);
      if (C.O) E.combination(C.O, c, skews(As, count), count, b);
    },
    room: ({ Z }) => Z ?? W,
    split(g, S, X, G) {
      const x = plainPoint(X);
      on.dissolver.S(S, x, G, K);
      if (g.Z) on.dissolver.normal(g.Z, x, K, -1);
      if (!turns) return false;
      E.combine(g.O ?? K, 1, K, -1, S);
      return !turned && felt(g, S);
    },
    retract(Y, X, t, { Z, O }) {
      if (O) {
        E.mul(W, X, O);
        ofStep[0] = 1;
        ofStep[1] = t;
        zs[0] = X;
        if (Z) zs[1] = Z;
        E.combination(W, ofStep, zs, Z ? 2 : 1, t);
      } else E.combine(W, t, Z!, 1, X);
      on.restore(plainPoint(Y), W);
    },
    // ‖X‖ is the reach
    ...(on.longestStep < Number.POSITIVE_INFINITY && {
      chord: (X: Tall, Y: Tall): number => Math.sqrt(Math.max(0, 2 * (on.longestStep ** 2 - E.dot(X, Y)))),
    }),
  };
}
