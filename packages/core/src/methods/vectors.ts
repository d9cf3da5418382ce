import type { Space, Tall } from "@expen/linalg";
import type { Geometry } from "../contracts/method.js";
import type { Point } from "../contracts/point.js";

/** Inner products of vectors that travel together (`Sums` of linalg/src/contracts/engine.ts) */
export interface VectorSums<V> {
  readonly at: Float64Array;
  inner(place: number, A: V, B: V): void;
  inners(first: number, As: readonly V[], count: number, B: V): void;
  arrive(): void;
}

/** The space of gradients, directions and curvature pairs: ℝⁿˣᵖ (V = Tall), or the frame of X (V = Tangent, quasi-newton/frame.ts). */
export interface Vectors<V> {
  /** A new vector; its n×p part is `M` where that is given. */
  make(M?: Tall): V;
  inner(A: V, B: V): number;
  /** r_i ← ⟨A_i, B⟩ for the first `count` of As */
  inners(r: Float64Array, As: readonly V[], count: number, B: V): void;
  /** C ← a·A + b·B; C may be A or B */
  combine(C: V, a: number, A: V, b: number, B: V): void;
  /** C ← Σ c_i·A_i + b·C over the first `count` of As */
  combination(C: V, c: Float64Array, As: readonly V[], count: number, b?: number): void;
  /** Room for inner products that travel together. */
  sums(places: number): VectorSums<V>;
  /** Inner products are messages or passes on a device, so that methods request them together. */
  readonly sumsTravel: boolean;
}

/** Vectors at the points of a manifold: ∇f(X) becomes a gradient, a direction leads to the next point. */
export interface Coordinates<V> extends Vectors<V> {
  /** How points are made and completed; absent where X and BX are one matrix */
  readonly points?: Geometry["points"];
  /** The matrix in which ∇f(X) is written before `toGradient` */
  gradientBuffer(g: V): Tall;
  /**
   * g ← the gradient at x for G = ∇f(X), which is in gradientBuffer(g). True where g is the first vector of a larger space: vectors stored
   * before have no meaning there.
   */
  toGradient(g: V, x: Point, G: Tall): boolean;
  /** y ← the point that the step t·D from x leads to; false where there is none */
  retract(y: Point, x: Point, t: number, D: V): boolean;
  /** Moves A to the tangent space at y; absent where vectors of all points are compared as they are. */
  transport?(A: V, y: Point): void;
  /** ‖grad f(X)‖² of the gradient g at X; absent where that is ⟨g, g⟩ */
  normSquared?(g: V, X: Tall): number;
}

/** ℝⁿˣᵖ */
export const flat = (E: Space, n: number, p: number): Vectors<Tall> => ({
  make: (M) => M ?? E.tall(n, p),
  inner: E.dot,
  inners: E.dots,
  combine: E.combine,
  combination: E.combination,
  sums(places) {
    const { at, dot, dots, arrive } = E.sums(places);
    return { at, inner: dot, inners: dots, arrive };
  },
  sumsTravel: E.ranks !== undefined || E.device !== undefined,
});

/** ℝⁿˣᵖ, or the tangent spaces of a submanifold as parts of it */
export const flatCoordinates = (E: Space, geometry: Geometry, n: number, p: number): Coordinates<Tall> => ({
  ...flat(E, n, p),
  gradientBuffer: (G) => G,
  points: geometry.points,
  toGradient(_g, x, G) {
    geometry.project(G, x);
    return false;
  },
  retract(y, x, t, D) {
    geometry.retract(y, x, t, D);
    return true;
  },
  ...(geometry.transport && { transport: geometry.transport }),
});
