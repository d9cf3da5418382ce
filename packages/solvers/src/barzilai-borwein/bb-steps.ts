import type { TrialRay } from "@expen/core/methods";
import type { Space } from "@expen/linalg";

/** The directions of a Barzilai–Borwein method, and the two step lengths from which its rule chooses. */
export interface BbSteps {
  /** D and slope0 ← the direction at the current point, where gg = ‖G‖², and the slope of f along it; returns ‖D‖ */
  direct(ray: TrialRay, gg: number): number;
  /** The trial point becomes the current one; sets `long`, `short` and `distance`. */
  accept(ray: TrialRay): void;
  long: number;
  short: number;
  /** ‖X₊ − X‖ */
  distance: number;
}

/**
 * D = −G for the gradient or field G of the ray, with the slope −rate(‖G‖²); for S = X₊ − X and Y = G₊ − G the long length is
 * ⟨S, S⟩/|⟨S, Y⟩| and the short one |⟨S, Y⟩|/⟨Y, Y⟩.
 */
export function fieldSteps(E: Space, rate = (gg: number): number => gg): BbSteps {
  const steps: BbSteps = {
    long: Number.NaN,
    short: Number.NaN,
    distance: Number.NaN,
    direct(ray, gg) {
      E.combine(ray.D, -1, ray.G, 0, ray.G);
      ray.slope0 = -rate(gg);
      return Math.sqrt(gg);
    },
    accept(ray) {
      ray.accept();
      // after `accept`, Xt and Gt hold the last point: S and Y take their place
      E.combine(ray.Xt, 1, ray.X, -1, ray.Xt);
      E.combine(ray.Gt, 1, ray.G, -1, ray.Gt);
      const [ss, sy, yy] = [E.dot(ray.Xt, ray.Xt), Math.abs(E.dot(ray.Xt, ray.Gt)), E.dot(ray.Gt, ray.Gt)];
      steps.long = ss / sy;
      steps.short = sy / yy;
      steps.distance = Math.sqrt(ss);
    },
  };
  return steps;
}
