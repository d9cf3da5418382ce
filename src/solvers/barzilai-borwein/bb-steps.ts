import type { Space } from "../../space.js";
import type {} from "../../types.js";
import type { LearnedMetric } from "../lbfgs/learned-metric.js";
import type { TrialRay } from "../ray.js";

/** How a Barzilai–Borwein method makes its directions, and the two lengths between which its rule chooses. */
export interface BbSteps {
  /** D and slope0 ← the direction at the current point, where gg = ‖G‖², and the slope of f along it; returns ‖D‖ */
  direct(ray: TrialRay, gg: number): number;
  /** The trial point becomes the current one, and `long`, `short` and `moved` are those of the step. */
  accept(ray: TrialRay): void;
  long: number;
  short: number;
  /** length of the step */
  moved: number;
}

/**
 * D = −G of the field G that is followed, along which f falls at a rate that is known from ‖G‖²; with S = X₊ − X and
 * Y = G₊ − G, long ⟨S, S⟩/|⟨S, Y⟩| and short |⟨S, Y⟩|/⟨Y, Y⟩.
 */
export function fieldSteps(E: Space, rate = (gg: number): number => gg): BbSteps {
  const steps: BbSteps = {
    long: Number.NaN,
    short: Number.NaN,
    moved: Number.NaN,
    direct(ray, gg) {
      E.combine(ray.D, -1, ray.G, 0, ray.G);
      ray.slope0 = -rate(gg);
      return Math.sqrt(gg);
    },
    accept(ray) {
      ray.accept();
      // what was left behind becomes S and Y
      E.combine(ray.Xt, 1, ray.X, -1, ray.Xt);
      E.combine(ray.Gt, 1, ray.G, -1, ray.Gt);
      const [ss, sy, yy] = [E.dot(ray.Xt, ray.Xt), Math.abs(E.dot(ray.Xt, ray.Gt)), E.dot(ray.Gt, ray.Gt)];
      steps.long = ss / sy;
      steps.short = sy / yy;
      steps.moved = Math.sqrt(ss);
    },
  };
  return steps;
}

/**
 * The same in a metric H that is learned on the way, for gradients G on a manifold: D = −HG, and as S = t·D,
 *
 *     short = ⟨S, Y⟩/⟨Y, HY⟩,   long/short = ⟨S, H⁻¹S⟩⟨Y, HY⟩/⟨S, Y⟩² = ⟨G, HG⟩⟨Y, HY⟩/⟨HG, Y⟩²,
 *
 * the second with the metric before it learns from this step, the first with the one after. Where the curvature ⟨S, Y⟩ is not positive, the
 * metric stays and both are twice the step. Holds 2 n×p matrices.
 */
export function metricSteps(E: Space, n: number, p: number, metric: LearnedMetric): BbSteps {
  const [Y, H] = [E.tall(n, p), E.tall(n, p)];
  const steps: BbSteps = {
    long: Number.NaN,
    short: Number.NaN,
    moved: Number.NaN,
    direct(ray) {
      metric.apply(H, ray.X, ray.G);
      ray.geometry.project(H, ray.x);
      E.combine(ray.D, -1, H, 0, H);
      ray.slope0 = E.dot(ray.G, ray.D);
      return Math.sqrt(E.dot(ray.D, ray.D));
    },
    accept(ray) {
      const { t, slope0, D } = ray;
      steps.moved = t * Math.sqrt(E.dot(D, D));
      E.combine(Y, 1, ray.Gt, -1, ray.G);
      const dy = E.dot(D, Y);
      if (!(dy > 0)) {
        ray.accept();
        steps.long = steps.short = 2 * t;
        return;
      }
      metric.apply(H, ray.X, Y);
      const ratio = (-slope0 * E.dot(Y, H)) / (dy * dy);
      metric.learn({ t, D, y: Y, dd: E.dot(D, D), dy });
      ray.accept();
      metric.apply(H, ray.X, Y);
      steps.short = (t * dy) / E.dot(Y, H);
      steps.long = ratio * steps.short;
    },
  };
  return steps;
}
