import { inverseRoot } from "../linalg/inverse-root.js";
import { blockScratch, within } from "../linalg/tall.js";
import { evaluator, noEvaluations } from "../objective.js";
import { Cell } from "../scalar.js";
import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Evaluations, Matrix, Objective, Ray, Reason, Search, Solver, State } from "../types.js";
import { multiplierMetric } from "./multiplier-metric.js";
import { secantMemory } from "./secant-memory.js";
import { advanced, newState, noStep, notFinite, roundingFloor } from "./state.js";
import { stepwise } from "./stepwise.js";

export interface DissolvedOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** n×p, nobody's while the solver takes a step: what it needs for the time of a step is put there */
  scratch?: Matrix;
  evaluations?: Evaluations;
}

/** ‖XᵀX − I‖ from which the dissolving map is applied a last time: it leaves ¾ of its square. */
const DISSOLVED = 1e-5;

/** The metric is fitted in each of the first steps, where the multiplier changes much, and from time to time later: it costs 3np² flops. */
const [FIRST, PERIOD] = [8, 3];

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
 * to terms of order ‖K‖. Holds 2·memory + 3 n×p matrices, a p×p matrix, and what does not find room in `scratch`. (docs/penalty.md)
 */
export function dissolvedExpen(
  E: Engine,
  f: Objective,
  X0: Matrix,
  {
    memory = 3,
    search = hagerZhang(),
    stepCap = Math.sqrt(f.p),
    scratch,
    evaluations = noEvaluations(),
  }: DissolvedOptions = {},
): Solver {
  const { n, p } = f;
  const take = within(E, p, scratch);
  const block = blockScratch(E, n, p, take);
  const [K, Z, T, W, M] = [take(p), take(p), take(p), take(p), take(p)];
  const root = inverseRoot(E, p, DISSOLVED, [T, W]);
  const evaluateF = evaluator(f);
  const pairs = secantMemory(E, n, p, memory, block);
  const metric = multiplierMetric(E, p, block, { small: [Z, T, W] });
  /** the metric is more than the identity */
  let learned = false;
  let sawNonFinite = false;
  let state: State;
  const [t, dnorm, slope] = [new Cell(), new Cell(), new Cell()];

  const ray = {
    // not 0, which would be an integer to V8
    f0: Number.NaN,
    slope0: Number.NaN,
    max: Number.NaN,
    t: Number.NaN,
    ft: Number.NaN,
    slopeT: Number.NaN,
    move() {
      const { Y } = pairs;
      t.value = ray.t;
      for (let b = 0; b < block.length; b++) {
        sum(b);
        E.gram(K, block[b]!, b === 0 ? 0 : 1);
      }
      if (!root(Z, K)) {
        ray.ft = Number.POSITIVE_INFINITY;
        return;
      }
      // back, since the last blocks are still in cache
      for (let b = block.length - 1; b >= 0; b--) {
        if (block.length > 1) sum(b);
        E.mul(Y.blocks[b]!, block[b]!, Z);
      }
      evaluate();
    },
    differentiate() {
      ray.slopeT = slope.value;
    },
  } satisfies Ray;
  return stepwise(begin, step);

  /** the block of scratch ← that of X + tD */
  function sum(b: number): void {
    E.combine(block[b]!, 1, pairs.X.blocks[b]!, t, pairs.D.blocks[b]!);
  }

  /** ft ← f(Y), gt ← ∇h at the feasible Y, M ← its multiplier */
  function evaluate(): void {
    const Y = pairs.Y.whole;
    const G = pairs.gt.whole;
    ray.ft = evaluateF(G, Y).value;
    if (Number.isFinite(ray.ft)) {
      E.tmul(M, Y, G);
      E.symmetrize(M);
      slope.value = pairs.project(M).value;
    } else sawNonFinite = true;
  }

  function begin(): State {
    E.copy(pairs.Y.whole, X0);
    evaluate();
    pairs.restart();
    ray.f0 = ray.ft;
    state = newState({ X: pairs.X.whole, f: ray.f0, evaluations }, Math.sqrt(pairs.gg.value));
    return state;
  }

  function step(): Reason | undefined {
    if (state.k === 0 && !Number.isFinite(ray.f0 + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f0})`);
    }
    while (!found()) {
      // less and less is trusted: first the pairs, then the metric
      if (pairs.size > 0) pairs.clear();
      else if (learned) {
        metric.forget();
        learned = false;
      } else if (state.gnorm <= 1e-7 * state.gnormMax) return roundingFloor(state.gnorm);
      else return noStep({ sawNonFinite }, state.gnorm);
    }
    const { D, g, gt } = pairs;
    const dy = pairs.accept(t);
    if (dy.value > 0 && (state.k < FIRST || state.k % PERIOD === 0)) {
      metric.learn(M, t, D, pairs.dd, dy, g, gt);
      learned = true;
    }
    ray.f0 = ray.ft;
    state.gnorm = Math.sqrt(pairs.gg.value);
    state.step = t.value * dnorm.value;
    advanced(state, { X: pairs.X.whole, f: ray.f0 });
    return Number.isFinite(state.gnorm) ? undefined : notFinite("the gradient is not finite at the last point");
  }

  /** A direction and a search along it. The trial step is 1, or of length 1 where nothing is known yet. */
  function found(): boolean {
    ray.slope0 = pairs.descend(metric).value;
    dnorm.value = Math.sqrt(pairs.dd.value);
    ray.max = stepCap / dnorm.value;
    ray.t = learned ? 1 : 1 / dnorm.value;
    sawNonFinite = false;
    return ray.slope0 < 0 && search(ray);
  }
}
