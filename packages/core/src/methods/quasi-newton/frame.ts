import type { Engine, Small, Tall } from "@expen/linalg";
import type { Constraint } from "../../contracts/constraint.js";
import type { Point } from "../../contracts/point.js";
import type { Frame, Tangent } from "./tangent.js";

/** ‖skew N‖ below this part of the largest ‖sym N‖ is roundoff: f(X) = f(XQ) for all rotations Q, and an Ω would cost for nothing. */
const ROTATION_PART = 1e-12;

/**
 * Of real or complex orthonormal columns, of unit columns and of no constraint, each on the engine of its algebra:
 *
 *     N = XᵀG,   S = sym N,   g = (G − XN, skew N),   Y = the way back from X + tD = X(I + tΩ) + tZ, for XᵀX = I its polar factor.
 *
 * `rotates`: vectors have an Ω from the start
 */
export function frame(E: Engine, on: Constraint, rotates = false): Frame {
  const { n, p } = on.shape;
  const { coordinates, equations, blocks = on.shape } = on.traits;
  const canRotate = coordinates === "basis" || coordinates === "blocks";
  const hasNormalPart = !canRotate || blocks.n > blocks.p;
  let hasRotation = canRotate && (rotates || !hasNormalPart);
  /** vectors without an Ω, which get one at the first gradient with skew N ≠ 0 */
  const lean: Tangent[] = [];
  let largest = 0;
  const [W, K, S] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
  let sums = new Float64Array(8);
  /** lists and coefficients that are written again at every step */
  const zs: Tall[] = [];
  const os: Small[] = [];
  const ofStep = new Float64Array(2);
  function normalParts(As: readonly Tangent[], count: number): Tall[] {
    for (let i = 0; i < count; i++) zs[i] = As[i]!.Z!;
    return zs;
  }
  function rotations(As: readonly Tangent[], count: number): Small[] {
    for (let i = 0; i < count; i++) os[i] = As[i]!.O!;
    return os;
  }
  /** Is skew N, in K, more than roundoff? Then all vectors get an Ω. */
  function dependsOnBasis(g: Tangent): boolean {
    largest = Math.max(largest, E.dot(S, S));
    if (!(E.dot(K, K) > ROTATION_PART ** 2 * largest)) return false;
    hasRotation = true;
    for (const A of lean) A.O = E.small(p, p);
    lean.length = 0;
    E.copy(g.O!, K);
    return true;
  }
  return {
    S,
    sumsTravel: E.ranks !== undefined,
    sums(places) {
      const at = new Float64Array(places);
      /** ⟨Ω, Ω⟩, of small matrices, at once */
      const ofRotations = new Float64Array(places);
      const ofNormals = E.sums(places);
      return {
        at,
        inner(place, A, B) {
          if (A.Z) ofNormals.dot(place, A.Z, B.Z!);
          ofRotations[place] = A.O ? E.dot(A.O, B.O!) : 0;
        },
        inners(first, As, count, B) {
          if (B.Z) ofNormals.dots(first, normalParts(As, count), count, B.Z);
          if (B.O) E.dots(ofRotations.subarray(first), rotations(As, count), count, B.O);
        },
        arrive() {
          ofNormals.arrive();
          for (let i = 0; i < places; i++) at[i] = ofNormals.at[i]! + ofRotations[i]!;
        },
      };
    },
    longestStep: on.longestStep,
    make(Z) {
      const A = { Z: hasNormalPart ? (Z ?? E.tall(n, p)) : undefined, O: hasRotation ? E.small(p, p) : undefined };
      if (canRotate && !hasRotation) lean.push(A);
      return A;
    },
    inner: (A, B) => (A.Z ? E.dot(A.Z, B.Z!) : 0) + (A.O ? E.dot(A.O, B.O!) : 0),
    inners(r, As, count, B) {
      if (B.Z) E.dots(r, normalParts(As, count), count, B.Z);
      else r.fill(0, 0, count);
      if (!B.O) return;
      if (sums.length < count) sums = new Float64Array(count);
      E.dots(sums, rotations(As, count), count, B.O);
      for (let i = 0; i < count; i++) r[i]! += sums[i]!;
    },
    combine(C, a, A, b, B) {
      if (C.Z) E.combine(C.Z, a, A.Z!, b, B.Z!);
      if (C.O) E.combine(C.O, a, A.O!, b, B.O!);
    },
    combination(C, c, As, count, b = 0) {
      if (C.Z) E.combination(C.Z, c, normalParts(As, count), count, b);
      if (C.O) E.combination(C.O, c, rotations(As, count), count, b);
    },
    gradientBuffer: ({ Z }) => Z ?? W,
    toGradient(g, x, G) {
      on.dissolver.S(S, x, G, K);
      if (g.Z) on.dissolver.normal(g.Z, x, K, -1);
      if (!canRotate) return false;
      E.combine(g.O ?? K, 1, K, -1, S);
      return !hasRotation && dependsOnBasis(g);
    },
    retract(y, { X }, t, { Z, O }) {
      if (O) {
        E.mul(W, X, O);
        ofStep[0] = 1;
        ofStep[1] = t;
        zs[0] = X;
        if (Z) zs[1] = Z;
        E.combination(W, ofStep, zs, Z ? 2 : 1, t);
      } else E.combine(W, t, Z!, 1, X);
      if (equations) {
        E.copy(y.X, W);
        return equations.retract(y.X, X);
      }
      on.restore(y, W);
      return true;
    },
    ...(equations && { transport: ({ Z }: Tangent, y: Point) => on.dissolver.tangent(Z!, y) }),
  };
}
