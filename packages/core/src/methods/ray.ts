import type { Space, Tall } from "@expen/linalg";
import type { Geometry, Ray, Solver, Start } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { Point } from "../contracts/point.js";
import { plainPoint } from "../manifolds/point.js";
import { noEvaluations } from "../objective/counted.js";
import { type Coordinates, flatCoordinates } from "./vectors.js";

/**
 * A ray X(t), t ≥ 0, that leaves X along D, with its trial point Xt = X(t) and all that is known there; vectors are kept in coordinates V.
 * `accept` makes the trial point the current one by swapping matrices.
 */
export interface RayIn<V> extends Ray {
  readonly objective: Objective;
  readonly coordinates: Coordinates<V>;
  /** the counters that states show */
  readonly evaluations: Evaluations;
  f0: number;
  slope0: number;
  max: number;
  /** current point and its matrix, gradient and value */
  x: Point;
  X: Tall;
  G: V;
  f: number;
  /** trial point and its matrix, gradient and value */
  xt: Point;
  Xt: Tall;
  Gt: V;
  ft: number;
  /** Euclidean gradients at X and at the trial point, where the ray was asked to keep them */
  euclideanG: Tall | undefined;
  euclideanGt: Tall | undefined;
  /** search direction */
  D: V;
  slopeT: number;
  /** a trial value was NaN or infinite in the last search */
  sawNonFinite: boolean;
  /** φ'(t) at the trial point; a method may put another function here, which makes further inner products in the same pass. */
  slope: (refused: boolean) => number;
  /** Called when a trial gradient leaves the space of all vectors before it, which then have no meaning. */
  onLargerSpace?: (() => void) | undefined;
  /** begins a search along D, whose slope ⟨G, D⟩ is in slope0 */
  begin(): void;
  /** ft, Gt ← value and gradient at Xt, where they are not known */
  evaluate(known?: Start): void;
  /** X, G, f ← Xt, Gt, ft; the old ones stay behind in Xt and Gt */
  accept(): void;
  /** X ← X0, with f and G there; X0 may be the ray's X. */
  restartAt(X0: Tall, known?: Start): void;
}

/** A ray in ℝⁿˣᵖ or on a submanifold of it */
export interface TrialRay extends RayIn<Tall> {
  readonly geometry: Geometry;
}

/**
 * An algorithm that works on a ray: started anew at the ray's current point as often as one likes, one run at a time, with the scratch of
 * its factory.
 */
export type Method = (ray: TrialRay) => Solver;

export interface RayOptions {
  evaluations?: Evaluations | undefined;
  keepEuclidean?: boolean | undefined;
  /** f and ∇f at the first point; the ray takes the matrix of the gradient */
  start?: Start | undefined;
}

/** φ(t) = f(R_X(tD)); its slope is ⟨∇f, P(D)⟩ at the trial point, exact for straight lines and for D transported by projection. */
export function trialRay(
  E: Space,
  f: Objective,
  geometry: Geometry,
  X0?: Tall,
  evaluations?: Evaluations,
  keepEuclidean?: boolean,
  start?: Start,
): TrialRay {
  const ray = rayIn(E, f, flatCoordinates(E, geometry, f.n, f.p), { evaluations, keepEuclidean, start });
  if (X0) ray.restartAt(X0, start);
  return Object.assign(ray, { geometry });
}

/** A ray without a point: `restartAt` gives it one, or its owner writes X, f and G. */
export function rayIn<V>(
  E: Space,
  f: Objective,
  coordinates: Coordinates<V>,
  { evaluations = noEvaluations(), keepEuclidean = false, start }: RayOptions = {},
): RayIn<V> {
  const { n, p } = f;
  const { point = (X = E.tall(n, p)) => plainPoint(X) } = coordinates.points ?? {};
  const [x, xt] = [point(), point()];
  const ray: RayIn<V> = {
    objective: f,
    coordinates,
    evaluations,
    x,
    X: x.X,
    G: coordinates.make(),
    f: 0,
    xt,
    Xt: xt.X,
    Gt: coordinates.make(start?.G),
    ft: 0,
    euclideanG: keepEuclidean ? E.tall(n, p) : undefined,
    euclideanGt: keepEuclidean ? E.tall(n, p) : undefined,
    D: coordinates.make(),
    t: 0,
    slopeT: 0,
    f0: 0,
    slope0: 0,
    max: Number.POSITIVE_INFINITY,
    sawNonFinite: false,
    slope: () => coordinates.inner(ray.Gt, ray.D),
    onLargerSpace: undefined,
    begin() {
      ray.f0 = ray.f;
      ray.sawNonFinite = false;
    },
    move() {
      if (coordinates.retract(ray.xt, ray.x, ray.t, ray.D)) return ray.evaluate();
      ray.ft = Number.POSITIVE_INFINITY;
      ray.sawNonFinite = true;
    },
    differentiate(refused = false) {
      ray.slopeT = ray.slope(refused);
    },
    evaluate(known) {
      const G = coordinates.gradientBuffer(ray.Gt);
      if (known && G !== known.G) E.copy(G, known.G);
      ray.ft = known ? known.f : f.fg(G, ray.Xt);
      if (Number.isFinite(ray.ft)) {
        if (ray.euclideanGt) E.copy(ray.euclideanGt, G);
        if (coordinates.toGradient(ray.Gt, ray.xt, G)) ray.onLargerSpace?.();
      } else ray.sawNonFinite = true;
    },
    accept() {
      [ray.x, ray.xt] = [ray.xt, ray.x];
      [ray.X, ray.Xt] = [ray.x.X, ray.xt.X];
      [ray.G, ray.Gt] = [ray.Gt, ray.G];
      [ray.euclideanG, ray.euclideanGt] = [ray.euclideanGt, ray.euclideanG];
      ray.f = ray.ft;
    },
    restartAt(X0, known) {
      E.copy(ray.Xt, X0);
      coordinates.points?.update(ray.xt);
      ray.evaluate(known);
      ray.accept();
    },
  };
  return ray;
}
