/** The smallest curvature of f along the manifold at X: what Lanczos shows of it, with which probability. */

import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { unitScale } from "@expen/linalg/arrays";
import { type Lowest, lanczos, norm, projectedEnds } from "@expen/linalg/dense";
import type { Curvature, Escape, Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { tangentProjector } from "../manifolds/tangent-projector.js";
import { forwardHessian, type Hessian } from "../objective/differences.js";
import { hessianAt } from "../objective/objective.js";
import { curvatureRounding, sizeOfHessian } from "./hessian-size.js";
import { type Allowed, ASKED, deviation, FAILURE, planProducts, productsAsked } from "./product-plan.js";

/** Evaluations below which nothing is tried: one product tells the size of the Hessian, one is a step */
export const LEAST = 2;
/** A Ritz value within this much of the scale is not called negative; the run leaves X for one beyond ESCAPE only. */
const ZERO = 1e-6;
const ESCAPE = 1e-4;
/** Curvatures from 1e-100 to 1e100 have squares, and what is much smaller than the largest one loses nothing. */
const SQUARES = 1e100;

interface Found {
  readonly curvature: Curvature;
  readonly verdict: "saddle" | "shown" | "open";
  /** in words: what was found */
  readonly text: string;
  readonly escape?: Escape;
}

/** Of ±1 and the like: there is no direction to go */
const ISOLATED: Found = {
  curvature: { lowest: 0, bound: 0, probability: 1, scale: 0, residual: 0, steps: 0, exact: true },
  verdict: "shown",
  text: "feasible points are isolated, there is no direction to go",
};

/** What products with the Hessian showed, multiplied by `unit` */
interface Ends {
  readonly value: number;
  readonly highest: number;
  readonly residual: number;
  readonly raw: number;
  readonly asymmetry: number;
  readonly steps: number;
  readonly end: Lowest["end"] | "whole";
}

/**
 * The operator D ↦ P_X(∇²f[D] − D·S), for B ≠ I A'ᵀ∘(∇²f − B·S)∘A', which has as many negative eigenvalues: its matrix where that is small,
 * otherwise Lanczos' method. The spread w = λmax − λmin of the spectrum is at most (ξmax − ξmin)/(1 − 2ε), so λmin ≥ ξmin − ε·w with
 * probability 1 − FAILURE. A Ritz value is never below λmin: a negative one is a proof.
 */
export function curvatureAt(
  E: Engine,
  f: Objective,
  on: Constraint,
  point: Measured,
  allowed: Allowed,
  seed: number,
): Found {
  const { S, lambda, measures } = point;
  const { n, p } = f;
  const N = on.dimension;
  if (N === 0) return ISOLATED;
  const { H, exact } = hessian(E, f, on, point);
  const { size, counted, m } = sizeOfHessian(E, n, p, H, seed);
  const space = { n, p, N, m };
  // of a difference of gradients the engine sees three passes of its own
  const flops = exact || counted > 3 * m ? counted : 0;
  const plan = planProducts(space, flops, { ...allowed, evaluations: allowed.evaluations - 1 });
  const multiplier = Math.max(Math.abs(lambda[0] ?? 0), Math.abs(lambda.at(-1) ?? 0));
  const largest = Math.max(size, multiplier);
  // a power of two: nothing is rounded
  const unit = largest > 1 / SQUARES && largest < SQUARES ? 1 : unitScale(largest);
  const project = tangentProjector(E, on, point);
  const { dissolver } = on;
  const J = on.traits.metric && E.tall(n, p);
  const along = pointOf(E, on);
  /** ‖∇²f[A'D] − BA'DS‖ before A'ᵀ */
  let inner = 0;
  const apply = (Y: Tall, D: Tall): void => {
    if (J) dissolver.direction(J, point, along(D));
    H(Y, J ?? D);
    dissolver.normal(Y, along(J ?? D), S, -1);
    if (unit !== 1) E.combine(Y, unit, Y, 0, Y);
    if (!J) return;
    inner = Math.max(inner, norm(E, Y));
    dissolver.tangent(Y, point);
  };
  const scaleOf = ({ value, highest }: Pick<Ends, "value" | "highest">): number =>
    Math.max(Math.abs(value), Math.abs(highest));
  const errorOf = (ends: Ends): number =>
    curvatureRounding(m, exact, {
      hessian: size * unit,
      raw: Math.max(inner, ends.raw) + multiplier * unit,
      scale: scaleOf(ends),
      gradient: measures.gradient * unit,
      asymmetry: ends.asymmetry,
    });
  const zeroAt = (ends: Ends): number =>
    Math.max(ZERO * scaleOf(ends), errorOf(ends), 4 * measures.stationarity * unit);
  const { ends, vector } = plan.whole ? allOf() : lanczosOf();
  const error = errorOf(ends);
  const { value, steps, end } = ends;
  const scale = scaleOf(ends);
  const bounded = lowerBound(ends, N, error, unit);
  const curvature: Curvature = {
    lowest: value / unit,
    ...bounded,
    scale: scale / unit,
    residual: ends.residual / unit,
    steps,
    exact,
  };
  const open = (text: string): Found => ({ curvature, verdict: "open", text });
  if (value < -zeroAt(ends)) {
    const text = `not a minimum: there is a direction of curvature ${digits(curvature.lowest)} (${how(curvature)})`;
    return { curvature, verdict: "saddle", text, ...(value < -ESCAPE * scale && { escape: vector }) };
  }
  const { bound } = bounded;
  if (bound !== undefined && scale === 0 && error === 0) {
    const text = `all second derivatives along the manifold are 0 (${how(curvature)}), as of a constant f`;
    return { curvature, verdict: "shown", text };
  }
  if (error >= ASKED * scale) {
    const text = `the curvature along the manifold is 0 up to rounding, ${digits(error / unit)} (${how(curvature)})`;
    return open(`${text}, as of a constant f: a minimum and a saddle look alike`);
  }
  if (bound !== undefined && bound >= -ASKED * curvature.scale) {
    return { curvature, verdict: "shown", text: `${words(curvature)} (${how(curvature)})` };
  }
  const shown = bound === undefined ? "show nothing yet of the curvature" : `show ${words(curvature)}`;
  const asked = productsAsked(space);
  const more =
    end === "steps" && steps < asked
      ? `certificateBudget ${allowed.spent + 1 + asked} would show ${digits(-ASKED)}·scale`
      : "a smaller Riemannian gradient would show more";
  return open(`${count(curvature)} ${shown}; ${more}`);

  function allOf(): { ends: Ends; vector: Escape } {
    const { lowest, highest, raw, asymmetry, vector } = projectedEnds(E, n, p, apply, project, N);
    return { ends: { value: lowest, highest, residual: 0, raw, asymmetry, steps: N, end: "whole" }, vector };
  }

  function lanczosOf(): { ends: Ends; vector: Escape } {
    const { lowest, vector } = lanczos(E, n, p, apply, project, {
      steps: plan.steps,
      seed,
      range: N,
      enough: (l) => l.value < -zeroAt({ ...l, asymmetry: 0 }) && l.residual <= 1e-3 * Math.abs(l.value),
    });
    // the Krylov space is invariant up to its residual
    return { ends: { ...lowest, asymmetry: lowest.end === "invariant" ? lowest.residual : 0 }, vector };
  }
}

function lowerBound(
  { value, highest, steps, end }: Ends,
  N: number,
  error: number,
  unit: number,
): { bound?: number; probability?: number } {
  const epsilon = end === "steps" ? deviation(steps, N) : 0;
  if (!(epsilon < 0.5)) return {};
  const bound = (value - (epsilon * (highest - value)) / (1 - 2 * epsilon) - error) / unit;
  return Number.isFinite(bound) ? { bound, probability: end === "whole" ? 1 : 1 - FAILURE } : {};
}

/** f's own Hessian, or forward differences from ∇f(X) = R + BXS; not that of a declared form, which may not belong to f */
function hessian(E: Engine, f: Objective, on: Constraint, point: Measured): { H: Hessian; exact: boolean } {
  const own = hessianAt(f, point.X);
  if (own) return { H: own, exact: true };
  const G = E.tall(f.n, f.p);
  E.copy(G, point.R);
  on.dissolver.normal(G, point, point.S);
  return { H: forwardHessian(E, f, point.X, G), exact: false };
}

/** "no curvature below −0.0312·scale (scale 12.3) with probability 1 − 1e-6" */
function words({ bound, scale, probability }: Curvature): string {
  const relative = `${digits(bound! / scale)}·scale (scale ${digits(scale)})`;
  return `no curvature below ${relative}${probability === 1 ? "" : `, with probability 1 − ${FAILURE.toExponential()}`}`;
}

const count = ({ steps, probability }: Curvature): string =>
  probability === 1 ? `all curvatures, by ${steps} products` : `${steps} Lanczos step${steps === 1 ? "" : "s"}`;
const how = (c: Curvature): string => `${count(c)}${c.exact ? "" : ", by differences"}`;
