/** Bounds of the smallest curvature of f along the manifold at X, with their probability, by Lanczos' method. */

import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { unitScale } from "@expen/linalg/arrays";
import { type Lowest, lanczos, norm, projectedEnds } from "@expen/linalg/dense";
import type { Curvature, Escape, Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { hasEquations } from "../manifolds/equations.js";
import { pointOf } from "../manifolds/point.js";
import { tangentProjector } from "../manifolds/tangent-projector.js";
import { forwardHessian, type Hessian, hessianAt } from "../objective/hessian-at.js";
import { type Allowed, planProducts, SLIGHT, stepsAsked } from "./budget.js";
import { curvatureRounding, sizeOfHessian } from "./hessian-size.js";
import {
  boundBelow,
  excludingLog,
  FAILURE,
  logPolynomial,
  MOST_FAILURE,
  missProbability,
  type Recurrence,
} from "./lanczos-bound.js";

/** Evaluations of the shortest attempt: one product for the size of the Hessian, one step */
export const LEAST = 2;
/** A Ritz value above −ZERO·scale is not called negative. */
const ZERO = 1e-6;
/** A run leaves X along a Ritz vector whose value is below −ESCAPE·scale. */
const ESCAPE = 1e-4;
/** Steps between two looks at the Ritz values */
const EVERY = 3;
/** Residual up to which a negative Ritz value ends the method, relative to it: the Ritz vector leads down. */
const SMALL_RESIDUAL = 0.1;
/** Curvatures within 1/SQUARES … SQUARES have squares that neither over- nor underflow; others are scaled. */
const SQUARES = 1e100;

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

/** The ends of the spectrum, multiplied by `unit` */
interface Ends {
  readonly value: number;
  readonly highest: number;
  readonly residual: number;
  readonly raw: number;
  readonly asymmetry: number;
  readonly steps: number;
  readonly end: Lowest["end"] | "whole";
  /** of Lanczos' method */
  readonly recurrence?: Recurrence;
}

/**
 * The operator D ↦ P_X(∇²f[D] − D·S), for B ≠ I A'ᵀ∘(∇²f − B·S)∘A', which has as many negative eigenvalues: its matrix where that is small,
 * otherwise Lanczos' method. A Ritz value is never below λmin: a negative one is a proof.
 */
export function curvatureAt(
  E: Engine,
  f: Objective,
  on: Constraint,
  point: Measured,
  allowed: Allowed,
  seed: number,
): SecondOrder {
  const { S, lambda, measures } = point;
  const { n, p } = f;
  const N = on.dimension;
  if (N === 0) return ISOLATED;
  const { H, exact } = hessian(E, f, on, point);
  const { size, counted, m } = sizeOfHessian(E, n, p, H, seed);
  const space = { n, p, N, m };
  // a difference of gradients itself makes three passes, which are no flops of f
  const flops = exact || counted > 3 * m ? counted : 0;
  const plan = planProducts(space, flops, { ...allowed, evaluations: allowed.evaluations - 1 });
  const multiplier = Math.max(Math.abs(lambda[0] ?? 0), Math.abs(lambda.at(-1) ?? 0));
  const largest = Math.max(size, multiplier);
  // a power of two, which rounds no number
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
    dissolver.shift(Y, along(J ?? D), point, S);
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
  const { value, steps } = ends;
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
  const open = (text: string): SecondOrder => ({ curvature, verdict: "open", text });
  if (value < -zeroAt(ends)) {
    const text = `not a minimum: there is a direction of curvature ${digits(curvature.lowest)} (${how(curvature)})`;
    return { curvature, verdict: "saddle", text, ...(value < -ESCAPE * scale && { escape: vector }) };
  }
  const { bound } = bounded;
  if (bound !== undefined && scale === 0 && error === 0) {
    const text = `all second derivatives along the manifold are 0 (${how(curvature)}), as of a constant f`;
    return { curvature, verdict: "shown", text };
  }
  if (error >= SLIGHT * scale) {
    const text = `the curvature along the manifold is 0 up to rounding, ${digits(error / unit)} (${how(curvature)})`;
    return open(`${text}, as of a constant f: a minimum and a saddle look alike`);
  }
  if (bound !== undefined && bound >= -SLIGHT * curvature.scale) {
    return { curvature, verdict: "shown", text: `${words(curvature)} (${how(curvature)})` };
  }
  return open(`${count(curvature)} found no negative curvature; ${restOf(ends, error)}`);

  function allOf(): { ends: Ends; vector: Escape } {
    const { lowest, highest, raw, asymmetry, vector } = projectedEnds(E, n, p, apply, project, N);
    return { ends: { value: lowest, highest, residual: 0, raw, asymmetry, steps: N, end: "whole" }, vector };
  }

  /** Is it a saddle, or is the bound shown and no smaller Ritz value in sight? Few steps that found less go on to those asked. */
  function isEnough(ends: Ends): boolean {
    const { value, residual, steps } = ends;
    if (value < -zeroAt(ends)) return residual <= SMALL_RESIDUAL * Math.abs(value);
    const error = errorOf(ends);
    const isBounded = logPolynomial(ends.recurrence!, error - SLIGHT * scaleOf(ends)) >= excludingLog(N);
    return isBounded && allowed.depth !== "strict" && (value > residual + error || steps >= stepsAsked(N));
  }

  function lanczosOf(): { ends: Ends; vector: Escape } {
    const { lowest, vector } = lanczos(E, n, p, apply, project, {
      steps: plan.steps,
      seed,
      range: N,
      every: EVERY,
      enough: (l) => isEnough({ ...l, recurrence: l, asymmetry: 0 }),
    });
    // the Krylov space is invariant up to its residual
    const asymmetry = lowest.end === "invariant" ? lowest.residual : 0;
    return { ends: { ...lowest, recurrence: lowest, asymmetry }, vector };
  }

  /** The words for the steps that are left out */
  function restOf({ end, steps, recurrence }: Ends, error: number): string {
    const enough = stepsAsked(N);
    if (end !== "steps" || steps >= enough) return "a smaller Riemannian gradient would show more";
    const probability = 1 - missProbability(recurrence!, N, error - SLIGHT * scale);
    const would = `one below ${digits(-SLIGHT)}·scale would be found with probability ${digits(probability)}`;
    return `${would}; certificate "second-order" or certificateBudget ${allowed.spent + 1 + enough} would show that there is none`;
  }
}

/**
 * The smallest eigenvalue is at least this with its probability: 1 − FAILURE, or what there is for −SLIGHT·scale if that is no more than
 * MOST_FAILURE less. A bound below −scale shows nothing.
 */
function lowerBound(
  { value, highest, end, recurrence }: Ends,
  N: number,
  error: number,
  unit: number,
): { bound?: number; probability?: number } {
  const scale = Math.max(Math.abs(value), Math.abs(highest));
  const boundOf = (least: number, probability: number) =>
    Number.isFinite(least) ? { bound: (least - error) / unit, probability } : {};
  if (end === "whole") return boundOf(value, 1);
  if (end === "invariant") return boundOf(value, 1 - FAILURE);
  const sure = boundBelow(recurrence!, N, value);
  const t = error - SLIGHT * scale;
  const miss = missProbability(recurrence!, N, t);
  if (sure < t && miss <= MOST_FAILURE) return boundOf(t, 1 - miss);
  return sure >= -scale ? boundOf(sure, 1 - FAILURE) : {};
}

/** f's own Hessian, or forward differences from ∇f(X) = R + BXS; never the Hessian of a declared form, which may not belong to f */
function hessian(E: Engine, f: Objective, on: Constraint, point: Measured): { H: Hessian; exact: boolean } {
  const own = hessianAt(f, point.X);
  // those of c along a direction are differences
  if (own) return { H: own, exact: !hasEquations(on) };
  const G = E.tall(f.n, f.p);
  E.copy(G, point.R);
  on.dissolver.normal(G, point, point.S);
  return { H: forwardHessian(E, f, point.X, G), exact: false };
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
