/** Bounds of the smallest curvature of f along the manifold at X, with their probability, by Lanczos' method. */

import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { type Lowest, lanczos, projectedEnds } from "@expen/linalg/dense";
import type { Curvature, Escape, Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { type Allowed, most, SLIGHT, stepsAsked, whetherEnough } from "./budget.js";
import { FAILURE, logPolynomial, lowerBound, missProbability } from "./lanczos-bound.js";
import { riemannianHessian } from "./riemannian-hessian.js";
import { FEW, isSmall } from "./small-space.js";

/** A Ritz value above −ZERO·scale is not called negative. */
const ZERO = 1e-6;
/** A run leaves X along a Ritz vector whose value is below −ESCAPE·scale. */
const ESCAPE = 1e-4;
/** Residual up to which a negative Ritz value ends the method, relative to it: the Ritz vector leads down. */
const SMALL_RESIDUAL = 0.1;

interface SecondOrder {
  readonly curvature: Curvature;
  readonly verdict: "saddle" | "shown" | "open";
  /** the result in words */
  readonly text: string;
  readonly escape?: Escape;
}

/** The result on a manifold of dimension 0, as {±1} */
const ISOLATED: SecondOrder = {
  curvature: { lowest: 0, bound: 0, probability: 1, scale: 0, residual: 0, steps: 0, exact: true },
  verdict: "shown",
  text: "feasible points are isolated, there is no direction to go",
};

/**
 * The Riemannian Hessian by its matrix where that is small, otherwise by Lanczos' method. A Ritz value is never below λmin: a negative one
 * is a proof. `across`: projects to the directions that count, `on.dimension` of them, where not all tangent vectors do.
 */
export function curvatureAt(
  E: Engine,
  f: Objective,
  on: Constraint,
  point: Measured,
  allowed: Allowed,
  seed: number,
  across?: (Z: Tall) => void,
): SecondOrder {
  const N = on.dimension;
  if (N === 0) return ISOLATED;
  const { n, p } = f;
  const H = riemannianHessian(E, f, on, point, seed);
  const { exact, roundingOf } = H;
  const project = across ?? H.project;
  const steps = most(N, allowed);
  const isNegative = (ends: Lowest): boolean =>
    ends.value < -Math.max(ZERO * ends.scale, roundingOf(ends), 4 * H.unit * point.measures.stationarity);
  const isEnough = whetherEnough(N, allowed);

  /** Is it a saddle, or is the bound shown and no smaller Ritz value in sight? */
  const enough = (ends: Lowest): boolean => {
    const { value, residual, scale } = ends;
    if (isNegative(ends)) return residual <= SMALL_RESIDUAL * Math.abs(value);
    if (allowed.depth === "strict") return false;
    const error = roundingOf(ends);
    return isEnough(ends, logPolynomial(ends, error - SLIGHT * scale), error);
  };
  const mayBeWhole = allowed.depth !== "brief" || N <= FEW;
  const isWhole = mayBeWhole && isSmall({ n, p, N, m: H.m, measure: H.measure }, allowed);
  const { lowest: ends, vector } = isWhole
    ? projectedEnds(E, n, p, H.apply, project, N)
    : lanczos(E, n, p, H.apply, project, { steps, seed, range: N, every: 1, enough });
  const { value, scale } = ends;
  const { unit } = H;
  const error = roundingOf(ends);
  const below = lowerBound(ends, N, error - SLIGHT * scale);
  const curvature: Curvature = {
    lowest: value / unit,
    ...(below && { bound: (below.value - error) / unit, probability: below.probability }),
    scale: scale / unit,
    residual: ends.residual / unit,
    steps: ends.steps,
    exact,
  };
  const open = (text: string): SecondOrder => ({ curvature, verdict: "open", text });
  if (!Number.isFinite(value)) return open("the Hessian is not finite at X");
  if (isNegative(ends)) {
    const text = `not a minimum: there is a direction of curvature ${digits(curvature.lowest)} (${how(curvature)})`;
    return { curvature, verdict: "saddle", text, ...(value < -ESCAPE * scale && { escape: vector }) };
  }
  if (below && scale === 0 && error === 0) {
    const text = `all second derivatives along the manifold are 0 (${how(curvature)}), as of a constant f`;
    return { curvature, verdict: "shown", text };
  }
  if (error >= SLIGHT * scale) {
    const text = `the curvature along the manifold is 0 up to rounding, ${digits(error / unit)} (${how(curvature)})`;
    return open(`${text}, as of a constant f: a minimum and a saddle look alike`);
  }
  if (below && below.value - error >= -SLIGHT * scale) {
    return { curvature, verdict: "shown", text: `${words(curvature)} (${how(curvature)})` };
  }
  return open(`${count(curvature)} found no negative curvature; ${rest()}`);

  /** The words for the steps that are left out */
  function rest(): string {
    const usual = stepsAsked(N);
    if (ends.end !== "steps" || ends.steps >= usual) return "a smaller Riemannian gradient would show more";
    const probability = digits(1 - missProbability(ends, N, error - SLIGHT * scale));
    const budget = allowed.spent + usual;
    const would = `one below ${digits(-SLIGHT)}·scale would be found with probability ${probability}`;
    return `${would}; certificate "second-order" or certificateBudget ${budget} would show whether there is one`;
  }
}

/** "no curvature below −0.0312·scale (scale 12.3), with probability 1 − 1e-6" */
function words({ bound, scale, probability }: Curvature): string {
  const relative = `${digits(bound! / scale)}·scale (scale ${digits(scale)})`;
  const failure = probability === 1 - FAILURE ? FAILURE.toExponential() : digits(1 - probability!);
  return `no curvature below ${relative}${probability === 1 ? "" : `, with probability 1 − ${failure}`}`;
}

const count = ({ steps, probability }: Curvature): string =>
  probability === 1 ? `all curvatures, by ${steps} products` : `${steps} Lanczos step${steps === 1 ? "" : "s"}`;
const how = (c: Curvature): string => `${count(c)}${c.exact ? "" : ", by differences"}`;
