import { plainPoint } from "../constraints/point.js";
import { noEvaluations } from "../objective/objective.js";
import type { Space } from "../space.js";
import type { Evaluations, Geometry, Objective, Point, Ray, Solver, Tall } from "../types.js";

/** A ray with the trial point and everything known there; `accept` makes the trial point the current one by swapping matrices. */
export interface TrialRay extends Ray {
  readonly objective: Objective;
  readonly geometry: Geometry;
  /** the counters that states show */
  readonly evaluations: Evaluations;
  f0: number;
  slope0: number;
  max: number;
  /** current point, its matrix and its (projected) gradient */
  x: Point;
  X: Tall;
  G: Tall;
  f: number;
  /** trial point, its matrix, its (projected) gradient and value */
  xt: Point;
  Xt: Tall;
  Gt: Tall;
  ft: number;
  /** Euclidean gradients at X and at the trial point, where the ray was asked to keep them */
  euclideanG: Tall | undefined;
  euclideanGt: Tall | undefined;
  /** search direction */
  D: Tall;
  slopeT: number;
  /** a trial value was NaN or infinite in the last search */
  sawNonFinite: boolean;
  /** where sums are foreseen: asks for those that will be needed beside a slope, and uses them when they have come */
  beside?: { foresee(refused: boolean): void; came(): void };
  /** begins a search along D, whose slope ⟨G, D⟩ is in slope0 */
  begin(): void;
  /** ft, Gt ← value and gradient at Xt */
  evaluate(): void;
  /** X, G, f ← Xt, Gt, ft; the old ones stay behind in Xt and Gt */
  accept(): void;
}

/**
 * An algorithm that works on a ray: started anew at the ray's current point as often as one likes, one run at a time, with the scratch of
 * its factory.
 */
export type Method = (ray: TrialRay) => Solver;

/**
 * φ(t) = f(R_X(tD)); its slope is ⟨∇f, P(D)⟩ at the trial point, exact for straight lines and for D transported by projection.
 * `gradient`: a matrix for the gradient at X0, made elsewhere.
 */
export function trialRay(
  E: Space,
  f: Objective,
  geometry: Geometry,
  X0: Tall,
  evaluations?: Evaluations,
  keepEuclidean?: boolean,
  gradient?: Tall,
): TrialRay {
  const ray = emptyRay(E, f, geometry, evaluations, keepEuclidean, gradient);
  // the start is a trial point of length 0
  E.copy(ray.X, X0);
  E.copy(ray.Xt, X0);
  geometry.points?.update(ray.xt);
  ray.evaluate();
  ray.accept();
  return ray;
}

/** The same without a point yet: its owner writes X, f and G. */
export function emptyRay(
  E: Space,
  f: Objective,
  geometry: Geometry,
  evaluations: Evaluations = noEvaluations(),
  keepEuclidean = false,
  gradient: Tall = E.tall(f.n, f.p),
): TrialRay {
  const { n, p } = f;
  const point = geometry.points?.point ?? (() => plainPoint(E.tall(n, p)));
  const [x, xt] = [point(), point()];
  const ray: TrialRay = {
    objective: f,
    geometry,
    evaluations,
    x,
    X: x.X,
    G: E.tall(n, p),
    f: 0,
    xt,
    Xt: xt.X,
    Gt: gradient,
    ft: 0,
    euclideanG: keepEuclidean ? E.tall(n, p) : undefined,
    euclideanGt: keepEuclidean ? E.tall(n, p) : undefined,
    D: E.tall(n, p),
    t: 0,
    slopeT: 0,
    f0: 0,
    slope0: 0,
    max: Number.POSITIVE_INFINITY,
    sawNonFinite: false,
    begin() {
      ray.f0 = ray.f;
      ray.sawNonFinite = false;
    },
    move() {
      geometry.retract(ray.xt, ray.x, ray.t, ray.D);
      ray.evaluate();
    },
    differentiate(refused = false) {
      (E.foresee ?? E.ranks?.foresee)?.(() => ray.beside?.foresee(refused));
      ray.slopeT = E.dot(ray.Gt, ray.D);
      ray.beside?.came();
    },
    evaluate() {
      ray.ft = f.fg(ray.Gt, ray.Xt);
      if (Number.isFinite(ray.ft)) {
        if (ray.euclideanGt) E.copy(ray.euclideanGt, ray.Gt);
        geometry.project(ray.Gt, ray.xt);
      } else ray.sawNonFinite = true;
    },
    accept() {
      [ray.x, ray.xt] = [ray.xt, ray.x];
      [ray.X, ray.Xt] = [ray.x.X, ray.xt.X];
      [ray.G, ray.Gt] = [ray.Gt, ray.G];
      [ray.euclideanG, ray.euclideanGt] = [ray.euclideanGt, ray.euclideanG];
      ray.f = ray.ft;
    },
  };
  return ray;
}
