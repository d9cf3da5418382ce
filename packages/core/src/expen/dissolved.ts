import type { Engine, Tall } from "@expen/linalg";
import type { Precondition, Solver } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import { dissolving } from "../manifolds/dissolving.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import type { Watch } from "../methods/precondition/watch.js";
import { multiplierFirstMatrix } from "../methods/quasi-newton/first/by-multiplier.js";
import type { FirstMatrix } from "../methods/quasi-newton/first/first-matrix.js";
import { formMetric } from "../methods/quasi-newton/first/of-form.js";
import { scaledPreconditioner } from "../methods/quasi-newton/first/scaled.js";
import type { FrameOptions } from "../methods/quasi-newton/frame-expen.js";
import { BLOCK, usualMemory } from "../methods/quasi-newton/memory.js";
import { quasiNewton } from "../methods/quasi-newton/quasi-newton.js";
import { trialRay } from "../methods/trial-ray.js";
import { flat } from "../methods/vectors.js";

/** The most pairs: where f is cheap, more of them take more time than they save (docs/decisions/0028). */
const MOST = 8;
/** A short run does not profit from all of them. */
const GROWTH = { first: 3, period: 8 };
/**
 * Steps between two fits of the metric. γ of an old fit is the weak point: with B ≠ I the metric explains less, and a fit at every step
 * saves evaluations. Elsewhere this method is for an f that costs little, and it saves less than it costs.
 */
const PERIOD = { identity: 3, metric: 1 };

export interface DissolvedOptions extends FrameOptions {
  /** takes the place of the multiplier in the first matrix */
  precondition?: Precondition;
  watch?: Watch | undefined;
}

/**
 * Shifted ExPen whose stages are one step long, a method of the default (run/strategies.ts). A trial point X + tD is dissolved at
 * once, Y = A(A(…(X + tD))) (manifolds/dissolving.ts), and as A maps a neighbourhood of the manifold onto it, with ‖K(A(X))‖ ≤ ¾‖K(X)‖²,
 * the next stage starts at Y: its shift M = sym(Yᵀ∇f(Y)) makes
 *
 *     ∇h(Y; β, M) = ∇f(Y) − Y·M
 *
 * whatever β is: none is needed. One evaluation costs 7np² flops beside f, two products less than ∇h off the manifold. Seen from the
 * manifold it is a quasi-Newton method with A iterated as its retraction, free of factorizations and of transport. Directions are those of
 * limited-memory BFGS with the multiplier in its first matrix (first/by-multiplier.ts; first/of-form.ts where f = ½⟨X, BXC⟩ is declared).
 * The slope at a trial point is taken as ⟨∇h(Y), D⟩, right up to terms of order ‖K‖. Holds 2·memory + 7 n×p matrices. (docs/penalty.md)
 */
export function dissolvedExpen(
  E: Engine,
  f: Objective,
  X0: Tall,
  {
    on = stiefelConstraint(E, f.n, f.p),
    precondition,
    watch,
    memory,
    search,
    stepCap = on.longestStep,
    evaluations,
    start,
  }: DissolvedOptions = {},
): Solver {
  const { n, p, quadratic } = f;
  const { orthonormal, metric } = on.traits;
  const geometry = dissolving(E, on);
  const { S } = geometry;
  const C = quadratic?.L || !orthonormal ? undefined : quadratic?.C;
  const firstMatrix = (): FirstMatrix => {
    if (precondition) return scaledPreconditioner(E, n, p, geometry, precondition, { watch });
    if (C) return formMetric(E, n, { ...quadratic!, C }, S);
    return multiplierFirstMatrix(E, n, p, S, metric ? PERIOD.metric : PERIOD.identity);
  };
  const usual = usualMemory(n * p);
  const method = quasiNewton(flat(E, n, p), firstMatrix(), {
    memory: memory ?? (precondition ? usual : Math.min(MOST, usual)),
    growth: memory === undefined && !precondition ? GROWTH : undefined,
    block: BLOCK,
    radius: on.longestStep,
    longestStep: stepCap,
    search,
  });
  return method(trialRay(E, f, geometry, X0, evaluations, false, start));
}
