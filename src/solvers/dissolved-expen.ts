import { inverseRoot } from "../linalg/inverse-root.js";
import { noEvaluations } from "../objective.js";
import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Evaluations, Matrix, Objective, Ray, Search, Solver } from "../types.js";
import { multiplierMetric } from "./multiplier-metric.js";
import { secantMemory } from "./secant-memory.js";
import { advance, newState, noStep, notFinite, roundingFloor } from "./state.js";

export interface DissolvedOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  evaluations?: Evaluations;
}

/** ‖XᵀX − I‖ from which the dissolving map is applied a last time: it leaves ¾ of its square. */
const DISSOLVED = 1e-5;

/**
 * Shifted ExPen whose stages are one step long: the default of the project. A trial point X + tD is dissolved at once,
 *
 *     Y = A(A(…(X + tD))) = (X + tD)·Z,   Z = Π(I − ½K_i)   (p×p work, linalg/inverse-root.ts),
 *
 * and as A maps a neighbourhood of the manifold onto it, with ‖K(A(X))‖ ≤ ¾‖K(X)‖², the next stage starts at Y: its shift M = sym(Yᵀ∇f(Y)) makes
 *
 *     ∇h(Y; β, M) = ∇f(Y) − Y·M
 *
 * whatever β is: none is needed. One evaluation costs 7np² flops beside f, two products less than ∇h off the manifold. Seen from the manifold it
 * is a quasi-Newton method with A iterated as its retraction, free of factorizations and of transport. Directions are those of
 * limited-memory BFGS with the multiplier in its first matrix (multiplier-metric.ts). The slope at a trial point is taken as ⟨∇h(Y), D⟩, right up
 * to terms of order ‖K‖. Holds 2·memory + 4 n×p matrices. (docs/penalty.md)
 */
export function* dissolvedExpen(
  E: Engine,
  f: Objective,
  X0: Matrix,
  { memory = 3, search = hagerZhang(), stepCap = Math.sqrt(f.p), evaluations = noEvaluations() }: DissolvedOptions = {},
): Solver {
  const { n, p } = f;
  let [X, Y] = [E.matrix(n, p), E.matrix(n, p)];
  const [K, Z, M] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const root = inverseRoot(E, p, DISSOLVED);
  const pairs = secantMemory(E, n, p, memory);
  const metric = multiplierMetric(E, p);
  let [value, sawNonFinite] = [0, false];

  /** G ← ∇h at a feasible Y, M ← its multiplier; returns f(Y) */
  function evaluate(G: Matrix, Y: Matrix): number {
    value = f.fg(G, Y);
    if (Number.isFinite(value)) {
      E.tmul(M, Y, G);
      E.symmetrize(M);
      E.mul(G, Y, M, -1, 1);
    } else sawNonFinite = true;
    return value;
  }

  const ray: Ray & { f0: number; slope0: number; max: number } = {
    f0: 0,
    slope0: 0,
    max: 0,
    at(t) {
      // the place of the trial gradient is free until f is called
      const { D, gt } = pairs;
      E.combine(gt, 1, X, t, D);
      E.gram(K, gt);
      if (!root(Z, K)) return Number.POSITIVE_INFINITY;
      E.mul(Y, gt, Z);
      return evaluate(gt, Y);
    },
    slope: () => E.dot(pairs.gt, pairs.D),
  };

  E.copy(X, X0);
  ray.f0 = evaluate(pairs.g, X);
  const norm = (G: Matrix): number => Math.sqrt(E.dot(G, G));
  const state = newState({ X, f: ray.f0, evaluations }, norm(pairs.g));
  yield state;
  if (!Number.isFinite(ray.f0 + state.gnorm)) {
    return notFinite(`f or its gradient is not finite at the start (f = ${ray.f0})`);
  }
  let learned = false;
  for (;;) {
    ray.slope0 = pairs.descend(metric, Y);
    const dnorm = norm(pairs.D);
    ray.max = stepCap / dnorm;
    sawNonFinite = false;
    const t = ray.slope0 < 0 ? search(ray, learned ? 1 : 1 / dnorm) : 0;
    if (t === 0) {
      // less and less is trusted: first the pairs, then the metric
      if (pairs.size > 0) pairs.clear();
      else if (learned) {
        metric.forget();
        learned = false;
      } else
        return state.gnorm <= 1e-7 * state.gnormMax
          ? roundingFloor(state.gnorm)
          : noStep({ sawNonFinite }, state.gnorm);
      continue;
    }
    const { D, g, gt } = pairs;
    const dy = pairs.accept(t);
    const current = X;
    X = Y;
    Y = current;
    ray.f0 = value;
    if (dy > 0) {
      metric.learn(M, t, D, dy, g, gt, Y);
      learned = true;
    }
    state.X = X;
    advance(state, { X, f: value }, norm(gt), t * dnorm);
    if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
    yield state;
  }
}
