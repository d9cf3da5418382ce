import type { Engine, Geometry, Matrix, Objective, Ray } from "../types.js";

/** A ray with the trial point and everything known there; `accept` makes the trial point the current one by swapping buffers. */
export interface TrialRay extends Ray {
  f0: number;
  slope0: number;
  max: number;
  /** current point and its (projected) gradient */
  X: Matrix;
  G: Matrix;
  f: number;
  /** trial point, its (projected) gradient and value */
  Xt: Matrix;
  Gt: Matrix;
  ft: number;
  /** search direction, tangent at X */
  readonly D: Matrix;
  /** a trial value was NaN or infinite in the last search */
  sawNonFinite: boolean;
  /** begins a search along D with the given slope ⟨G, D⟩ */
  begin(slope: number): void;
  /** X, G, f ← Xt, Gt, ft */
  accept(): void;
}

/** φ(t) = f(R_X(tD)); its slope is ⟨∇f, P(D)⟩ at the trial point, exact for straight lines and for D transported by projection. */
export function trialRay(E: Engine, f: Objective, geometry: Geometry, X0: Matrix): TrialRay {
  const { n, p } = f;
  const ray: TrialRay = {
    X: E.from(X0),
    G: E.matrix(n, p),
    f: 0,
    Xt: E.matrix(n, p),
    Gt: E.matrix(n, p),
    ft: 0,
    D: E.matrix(n, p),
    f0: 0,
    slope0: 0,
    max: Number.POSITIVE_INFINITY,
    sawNonFinite: false,
    begin(slope) {
      ray.f0 = ray.f;
      ray.slope0 = slope;
      ray.sawNonFinite = false;
    },
    at(t) {
      geometry.retract(ray.Xt, ray.X, t, ray.D);
      ray.ft = f.fg(ray.Gt, ray.Xt);
      geometry.project(ray.Gt, ray.Xt);
      if (!Number.isFinite(ray.ft)) ray.sawNonFinite = true;
      return ray.ft;
    },
    slope: () => E.dot(ray.Gt, ray.D),
    accept() {
      const { X, G } = ray;
      ray.X = ray.Xt;
      ray.G = ray.Gt;
      ray.f = ray.ft;
      ray.Xt = X;
      ray.Gt = G;
    },
  };
  ray.f = f.fg(ray.G, ray.X);
  geometry.project(ray.G, ray.X);
  return ray;
}
