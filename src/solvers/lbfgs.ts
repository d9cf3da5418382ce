import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Precondition, Search, Solver } from "../types.js";
import { type LbfgsMemory, lbfgsMemory } from "./lbfgs-memory.js";
import type { Method, TrialRay } from "./ray.js";
import { advance, newState, noStep, notFinite } from "./state.js";

export interface LbfgsOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** a pair is stored only if ⟨s, y⟩ > caution·‖g‖·⟨s, s⟩ (Li and Fukushima) */
  caution?: number;
  /** first matrix of each update, up to a factor; its image is projected to the tangent space */
  precondition?: Precondition;
}

/**
 * Limited-memory BFGS on ℝⁿˣᵖ or on a manifold, where the stored pairs are projected to each new tangent space. Started again, it keeps
 * its pairs: they serve as long as the function changes little. Holds 2·(memory + 1) n×p matrices beyond the 5 of its ray.
 */
export function lbfgs(
  E: Engine,
  n: number,
  p: number,
  {
    memory = 4,
    search = hagerZhang(),
    stepCap = Number.POSITIVE_INFINITY,
    caution = 0,
    precondition,
  }: LbfgsOptions = {},
): Method {
  const pairs = lbfgsMemory(E, n, p, memory, precondition);
  return function* (ray: TrialRay): Solver {
    pairs.restart();
    const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
    yield state;
    if (!Number.isFinite(ray.f + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    }
    for (;;) {
      const step = lbfgsStep(E, ray, pairs, search, state.gnorm, stepCap, caution);
      if (step === 0) return noStep(ray, state.gnorm);
      advance(state, ray, Math.sqrt(E.dot(ray.G, ray.G)), step);
      if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
      yield state;
    }
  };
}

/**
 * One iteration: direction −H·g, search, acceptance, new pair. The trial step is 1, and 1/‖g‖ where nothing is known yet. A direction that
 * does not descend or cannot be searched clears the memory and is replaced by −g. Returns ‖X₊ − X‖, or 0 where there is no step.
 */
function lbfgsStep(
  E: Engine,
  ray: TrialRay,
  pairs: LbfgsMemory,
  search: Search,
  gnorm: number,
  stepCap: number,
  caution: number,
): number {
  const { geometry } = ray;
  for (;;) {
    pairs.direction(ray.D, ray.G, ray.X);
    if (pairs.preconditioned) geometry.project(ray.D, ray.X);
    let slope = E.dot(ray.G, ray.D);
    if (!(slope < 0)) {
      pairs.clear();
      E.axpby(ray.D, -1, ray.G, 0);
      slope = -gnorm * gnorm;
    }
    const dnorm = Math.sqrt(E.dot(ray.D, ray.D));
    ray.max = stepCap / dnorm;
    ray.begin(slope);
    const t = search(ray, pairs.size > 0 ? 1 : 1 / dnorm);
    if (t === 0) {
      if (pairs.size === 0) return 0;
      pairs.clear();
      continue;
    }
    ray.accept();
    if (geometry.name !== "euclidean") {
      geometry.project(ray.Gt, ray.X);
      geometry.project(ray.D, ray.X);
      for (let i = 0; i < 2 * pairs.size; i++) geometry.project(pairs.vectors[i]!, ray.X);
      pairs.refresh();
    }
    pairs.update(t, ray.D, ray.G, ray.Gt, caution * gnorm * (t * dnorm) ** 2, ray.X);
    return t * dnorm;
  }
}
