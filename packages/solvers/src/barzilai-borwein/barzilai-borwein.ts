import type { Search, Solver } from "@expen/core";
import type { Method, TrialRay } from "@expen/core/methods";
import { advance, newState, noStep, notFinite } from "@expen/core/methods";
import type { Space } from "@expen/linalg";
import { amount, chosenOptions, digits, func, object, oneOf, type SchemaOf } from "@expen/linalg";
import { nonmonotone } from "../search/armijo.js";
import { type BbSteps, fieldSteps } from "./bb-steps.js";

/**
 * long, short: the lengths of bb-steps.ts. alternating: short in odd iterations [Dai, Fletcher, Numer. Math. 100, 2005]. sparing: a long
 * step, then two short ones. cyclic: long until long steps have failed to grow three times (far from a minimum the curvature falls along
 * the path); then in turn a long step and two short ones, each the smaller of the last two short lengths, in the manner of ABBmin
 * [Frassoldati, Zanghirati, Zanni, J. Ind. Manag. Optim. 4, 2008].
 */
export type BbRule = "long" | "short" | "alternating" | "sparing" | "cyclic";

export interface BbOptions {
  rule?: BbRule;
  search?: Search;
  /** the step of the first `warmup` iterations, as a function of the norm of the field at the start */
  first?: (dnorm: number) => number;
  warmup?: number;
  /** bounds of the step */
  min?: number;
  max?: number;
  /** a further upper bound of the step, as a function of the norm of the direction */
  limit?: (dnorm: number, ray: TrialRay) => number;
  /** the norm in the states, as a function of ‖G‖² for the field G */
  stateNorm?: (dd: number) => number;
  /** may replace the accepted trial point by a better one */
  improve?: (ray: TrialRay, t: number) => void;
  /** directions and Barzilai–Borwein lengths */
  steps?: BbSteps;
}

/**
 * X₊ = X − t·G with the steps t of Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988), where G is the gradient of the ray or a field in its
 * place. The geometry of the ray makes it a method on ℝⁿˣᵖ, on a manifold, or one of the infeasible methods. If a step length is zero or
 * not finite, the last one is repeated. A search that fails is repeated once from a tiny step. A second run of the method starts with its
 * last step. Holds no matrix beyond the 5 of its ray.
 */
export function barzilaiBorwein(E: Space, options: BbOptions = {}): Method {
  const {
    rule = "alternating",
    search = nonmonotone(),
    first = (dnorm: number) => 1 / dnorm,
    warmup = 1,
    min = 1e-20,
    max = 1e20,
    limit = () => Number.POSITIVE_INFINITY,
    improve,
    stateNorm = Math.sqrt,
    steps = fieldSteps(E),
  } = chosenOptions("barzilaiBorwein", options, SCHEMA);
  let t = Number.NaN;
  const choose = bbRules[rule]();
  return function* (ray: TrialRay): Solver {
    let gg = E.dot(ray.G, ray.G);
    const state = newState(ray, stateNorm(gg));
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
      const accepted = ray.t;
      improve?.(ray, accepted);
      steps.accept(ray);
      gg = E.dot(ray.G, ray.G);
      advance(state, ray, stateNorm(gg), steps.distance);
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
      t = next > 0 && Number.isFinite(next) ? Math.min(Math.max(next, min), max) : accepted;
    }
  };
}

/** Each function returns the rule of one run: the next step from the number of steps and the two lengths. */
export const bbRules: Record<BbRule, () => (k: number, long: number, short: number) => number> = {
  long: () => (_k, long) => long,
  short: () => (_k, _long, short) => short,
  alternating: () => (k, long, short) => (k % 2 === 1 ? short : long),
  sparing: () => (k, long, short) => (k % 3 === 0 ? long : short),
  cyclic() {
    let [lastLong, lastShort, failures] = [0, Number.POSITIVE_INFINITY, 0];
    return (k, long, short) => {
      const smaller = Math.min(short, lastShort);
      if (!(long > lastLong)) failures++;
      lastLong = long;
      lastShort = short;
      return failures < 3 || k % 3 === 0 ? long : smaller;
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
  stateNorm: func,
  steps: object,
};
