import type { Search, Solver } from "@expen/core";
import type { Method, TrialRay } from "@expen/core/methods";
import { advance, newState, noStep, notFinite } from "@expen/core/methods";
import type { Space } from "@expen/linalg";
import { amount, chosenOptions, digits, func, object, oneOf, type SchemaOf } from "@expen/linalg";
import { nonmonotone } from "../search/armijo.js";
import { type BbSteps, fieldSteps } from "./bb-steps.js";

/**
 * The long length, the short one (bb-steps.ts), the two in turn, odd iterations short; sparing: a long one, then two short ones; or
 * cyclic: long while long steps grow (far from a minimum curvature falls on the way down), until they failed to three times; then in turn
 * a long step and two short ones, each the smaller of the last two (after ABBmin: Frassoldati, Zanghirati, Zanni 2008).
 */
export type BbRule = "long" | "short" | "alternating" | "sparing" | "cyclic";

export interface BbOptions {
  rule?: BbRule;
  search?: Search;
  /** the step of the first `warmup` iterations, before differences tell more; from the norm of the field at the start */
  first?: (dnorm: number) => number;
  warmup?: number;
  /** bounds of the step */
  min?: number;
  max?: number;
  /** a further upper bound at the current point, from the norm of the direction */
  limit?: (dnorm: number, ray: TrialRay) => number;
  /** from ‖G‖² at the current point, G the field: the norm that is shown in the states */
  shown?: (dd: number) => number;
  /** may move the accepted trial point on to a better one */
  improve?: (ray: TrialRay, t: number) => void;
  /** how directions and lengths are made */
  steps?: BbSteps;
}

/**
 * Steps along −G for a field G that the ray gives as its gradient, of the length of Barzilai and Borwein
 * (IMA J. Numer. Anal. 8, 1988). On ℝⁿˣᵖ, on a manifold, or with the restoring maps of the infeasible methods: the geometry of the ray
 * says how one moves, the search what is accepted. A step from differences that are zero or not finite is the one before. A search that
 * fails is repeated once from a tiny step. Started again, it continues with its last step. Holds no matrix beyond the 5 of its ray.
 */
export function barzilaiBorwein(E: Space, given: BbOptions = {}): Method {
  const {
    rule = "alternating",
    search = nonmonotone(),
    first = (dnorm: number) => 1 / dnorm,
    warmup = 1,
    min = 1e-20,
    max = 1e20,
    limit = () => Number.POSITIVE_INFINITY,
    improve,
    shown = Math.sqrt,
    steps = fieldSteps(E),
  } = chosenOptions("barzilaiBorwein", given, SCHEMA);
  let t = Number.NaN;
  const choose = bbRules[rule]();
  return function* (ray: TrialRay): Solver {
    let gg = E.dot(ray.G, ray.G);
    const state = newState(ray, shown(gg));
    yield state;
    if (!Number.isFinite(ray.f + gg)) return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    const start = state.gnorm;
    if (Number.isNaN(t)) t = first(Math.sqrt(gg));
    for (;;) {
      if (gg === 0) return { kind: "gradient", converged: true, text: "the field vanishes: the point is stationary" };
      const dnorm = steps.direct(ray, gg);
      ray.max = limit(dnorm, ray);
      ray.t = t;
      ray.begin();
      if (!search(ray)) {
        ray.t = Math.min(1e-3 * t, 1e-6 / dnorm);
        if (!search(ray)) return noStep(ray, state.gnorm);
      }
      const taken = ray.t;
      improve?.(ray, taken);
      steps.accept(ray);
      gg = E.dot(ray.G, ray.G);
      advance(state, ray, shown(gg), steps.moved);
      if (!Number.isFinite(gg)) return notFinite("the gradient is not finite at the last point");
      if (state.gnorm > 1e12 * start) {
        return {
          kind: "diverged",
          converged: false,
          text: `the method diverges: the norm of its field grew from ${digits(start)} to ${digits(state.gnorm)}`,
        };
      }
      yield state;
      if (state.k < warmup) continue;
      const next = choose(state.k, steps.long, steps.short);
      t = next > 0 && Number.isFinite(next) ? Math.min(Math.max(next, min), max) : taken;
    }
  };
}

/** Each makes the rule of one run: the next step from the count of steps taken and the two candidates. */
export const bbRules: Record<BbRule, () => (k: number, long: number, short: number) => number> = {
  long: () => (_k, long) => long,
  short: () => (_k, _long, short) => short,
  alternating: () => (k, long, short) => (k % 2 === 1 ? short : long),
  sparing: () => (k, long, short) => (k % 3 === 0 ? long : short),
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

const SCHEMA: SchemaOf<BbOptions> = {
  rule: oneOf(Object.keys(bbRules)),
  search: func,
  first: func,
  warmup: amount,
  min: amount,
  max: amount,
  limit: func,
  improve: func,
  shown: func,
  steps: object,
};
