import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Evaluations, Geometry, Matrix, Objective, Search, Solver } from "../types.js";
import { lbfgsMemory } from "./lbfgs-memory.js";
import { trialRay } from "./ray.js";
import { advance, newState, notFinite, searchFailed } from "./state.js";

export interface LbfgsOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** a pair is stored only if ⟨s, y⟩ > caution·‖g‖·⟨s, s⟩ (Li and Fukushima) */
  caution?: number;
  evaluations?: Evaluations;
}

/**
 * Limited-memory BFGS on ℝⁿˣᵖ or on a manifold, where the stored pairs are projected to each new tangent space.
 * The first trial step is 1, the very first one 1/‖g‖. Holds 5 + 2·memory n×p matrices.
 */
export function* lbfgs(
  E: Engine,
  f: Objective,
  geometry: Geometry,
  X0: Matrix,
  {
    memory = 8,
    search = hagerZhang(),
    stepCap = Number.POSITIVE_INFINITY,
    caution = 0,
    evaluations,
  }: LbfgsOptions = {},
): Solver {
  const ray = trialRay(E, f, geometry, X0);
  const pairs = lbfgsMemory(E, f.n, f.p, memory);
  const flat = geometry.name === "euclidean";
  let gnorm = Math.sqrt(E.dot(ray.G, ray.G));
  const state = newState(ray.X, ray.f, gnorm, evaluations);
  if (!Number.isFinite(ray.f + gnorm)) return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
  yield state;
  for (;;) {
    pairs.direction(ray.D, ray.G);
    let slope = E.dot(ray.G, ray.D);
    if (!(slope < 0)) {
      pairs.clear();
      pairs.direction(ray.D, ray.G);
      slope = -gnorm * gnorm;
    }
    const dnorm = Math.sqrt(E.dot(ray.D, ray.D));
    ray.max = stepCap / dnorm;
    ray.begin(slope);
    const t = search(ray, pairs.size > 0 ? 1 : 1 / dnorm);
    if (t === 0) {
      if (pairs.size === 0) {
        return ray.sawNonFinite
          ? notFinite("f is not finite at every trial point of the line search")
          : searchFailed(gnorm);
      }
      pairs.clear();
      continue;
    }
    ray.accept();
    if (!flat) {
      geometry.project(ray.Gt, ray.X);
      geometry.project(ray.D, ray.X);
      for (const V of pairs.vectors) geometry.project(V, ray.X);
      pairs.refresh();
    }
    pairs.update(t, ray.D, ray.G, ray.Gt, caution * gnorm * t * t * dnorm * dnorm);
    gnorm = Math.sqrt(E.dot(ray.G, ray.G));
    advance(state, ray.X, ray.f, gnorm, t * dnorm);
    if (!Number.isFinite(gnorm)) return notFinite("the gradient is not finite at the last point");
    yield state;
  }
}
