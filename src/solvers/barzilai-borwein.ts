import { nonmonotone } from "../search/armijo.js";
import type { Engine, Search, Solver } from "../types.js";
import type { Method, TrialRay } from "./ray.js";
import { advance, newState, noStep, notFinite } from "./state.js";

/**
 * With S = X₊ − X and Y = D₊ − D, D the field that is followed: long ⟨S,S⟩/|⟨S,Y⟩|, short |⟨S,Y⟩|/⟨Y,Y⟩ (absolute values, as f need not
 * be convex), the two in turn, odd iterations short, or
 * cyclic: long while long steps grow (far from a minimum curvature falls on the way down), until they failed to three times; then in turn
 * a long step and two short ones, each the smaller of the last two (after ABBmin: Frassoldati, Zanghirati, Zanni 2008).
 */
export type BbRule = "long" | "short" | "alternating" | "cyclic";

export interface BbOptions {
  rule?: BbRule;
  search?: Search;
  /** the step of the first `warmup` iterations, before differences tell more; from the norm of the field at the start */
  first?: (dnorm: number) => number;
  warmup?: number;
  /** bounds of the step */
  min?: number;
  max?: number;
  /** a further upper bound at the current point, from the norm of the field */
  limit?: (dnorm: number, ray: TrialRay) => number;
  /** from ‖D‖² at the current point: the norm that is shown in the states */
  shown?: (dd: number) => number;
  /** may move the accepted trial point on to a better one */
  improve?: (ray: TrialRay, t: number) => void;
  /** from ‖D‖² at the current point: the rate at which f falls along −D */
  rate?: (dd: number) => number;
}

/**
 * Steps along −D for a field D that the ray gives as its gradient, of the length of Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988).
 * On ℝⁿˣᵖ, on a manifold, or with the restoring maps of the infeasible methods: the geometry of the ray says how one moves, the search
 * what is accepted. A step from differences that are zero or not finite is the one before. A search that fails is repeated once from a
 * tiny step. Started again, it continues with its last step. Holds no matrix beyond the 5 of its ray.
 */
export function barzilaiBorwein(
  E: Engine,
  {
    rule = "alternating",
    search = nonmonotone(),
    first = (dnorm) => 1 / dnorm,
    warmup = 1,
    min = 1e-20,
    max = 1e20,
    limit = () => Number.POSITIVE_INFINITY,
    improve,
    shown = Math.sqrt,
    rate = (dd) => dd,
  }: BbOptions = {},
): Method {
  let t = Number.NaN;
  const step = bbRules[rule]();
  return function* (ray: TrialRay): Solver {
    let dd = E.dot(ray.G, ray.G);
    const state = newState(ray, shown(dd));
    yield state;
    if (!Number.isFinite(ray.f + dd)) return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    const start = state.gnorm;
    if (Number.isNaN(t)) t = first(Math.sqrt(dd));
    for (;;) {
      if (dd === 0) return { kind: "gradient", converged: true, text: "the field vanishes: the point is stationary" };
      E.axpby(ray.D, -1, ray.G, 0);
      ray.max = limit(Math.sqrt(dd), ray);
      ray.slope0 = -rate(dd);
      ray.t = t;
      ray.begin();
      if (!search(ray)) {
        ray.t = Math.min(1e-3 * t, 1e-6 / Math.sqrt(dd));
        if (!search(ray)) return noStep(ray, state.gnorm);
      }
      const taken = ray.t;
      improve?.(ray, taken);
      ray.accept();
      // what was left behind becomes S and Y
      E.axpby(ray.Xt, 1, ray.X, -1);
      E.axpby(ray.Gt, 1, ray.G, -1);
      const [ss, sy, yy] = [E.dot(ray.Xt, ray.Xt), Math.abs(E.dot(ray.Xt, ray.Gt)), E.dot(ray.Gt, ray.Gt)];
      dd = E.dot(ray.G, ray.G);
      advance(state, ray, shown(dd), Math.sqrt(ss));
      if (!Number.isFinite(dd)) return notFinite("the gradient is not finite at the last point");
      if (state.gnorm > 1e12 * start) {
        return {
          kind: "diverged",
          converged: false,
          text: `the method diverges: the norm of its field grew from ${start.toPrecision(3)} to ${state.gnorm.toPrecision(3)}`,
        };
      }
      yield state;
      if (state.k < warmup) continue;
      const next = step(state.k, ss / sy, sy / yy);
      t = next > 0 && Number.isFinite(next) ? Math.min(Math.max(next, min), max) : taken;
    }
  };
}

/** Each makes the rule of one run: the next step from the count of steps taken and the two candidates. */
export const bbRules: Record<BbRule, () => (k: number, long: number, short: number) => number> = {
  long: () => (_k, long) => long,
  short: () => (_k, _long, short) => short,
  alternating: () => (k, long, short) => (k % 2 === 1 ? short : long),
  cyclic() {
    let [before, shortBefore, fallen] = [0, Number.POSITIVE_INFINITY, 0];
    return (k, long, short) => {
      const smaller = Math.min(short, shortBefore);
      if (!(long > before)) fallen++;
      before = long;
      shortBefore = short;
      return fallen < 3 || k % 3 === 0 ? long : smaller;
    };
  },
};
