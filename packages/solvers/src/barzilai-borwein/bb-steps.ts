import type { TrialRay } from "@expen/core/methods";
import type { Space } from "@expen/linalg";

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
