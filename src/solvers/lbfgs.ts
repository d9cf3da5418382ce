import { Cell } from "../scalar.js";
import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Precondition, Reason, Search, State } from "../types.js";
import { lbfgsMemory } from "./lbfgs-memory.js";
import type { Method, TrialRay } from "./ray.js";
import { advanced, newState, noStep, notFinite, restarted } from "./state.js";
import { stepwiseMethod } from "./stepwise.js";

export interface LbfgsOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** a pair is stored only if ⟨s, y⟩ > caution·‖g‖·⟨s, s⟩ (Li and Fukushima) */
  caution?: number;
  /** first matrix of each update, up to a factor; its image is projected to the tangent space */
  precondition?: Precondition;
  /** sees each step that was found before it is accepted: a preconditioner may learn from it */
  learn?: (ray: TrialRay) => void;
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
    learn,
  }: LbfgsOptions = {},
): Method {
  const pairs = lbfgsMemory(E, n, p, memory, precondition);
  let state: State;
  /** ‖d‖, in a field because a number in a variable of a closure is an object each time it changes */
  const dnorm = new Cell();
  return stepwiseMethod(begin, step);

  function begin(ray: TrialRay): State {
    pairs.restart();
    state ??= newState(ray, 0);
    state.gnorm = Math.sqrt(E.inner(ray.G, ray.G).value);
    restarted(state, ray);
    return state;
  }

  function step(ray: TrialRay): Reason | undefined {
    if (state.k === 0 && !Number.isFinite(ray.f + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    }
    while (!found(ray)) {
      if (pairs.size === 0) return noStep(ray, state.gnorm);
      pairs.clear();
    }
    learn?.(ray);
    ray.accept();
    transport(ray);
    const length = ray.t * dnorm.value;
    pairs.update(ray.t, ray.D, ray.G, ray.Gt, caution * state.gnorm * length ** 2, ray.X);
    state.gnorm = Math.sqrt(E.inner(ray.G, ray.G).value);
    state.step = length;
    advanced(state, ray);
    return Number.isFinite(state.gnorm) ? undefined : notFinite("the gradient is not finite at the last point");
  }

  /**
   * Direction −H·g, or −g and an empty memory where that does not descend, and a search along it. The trial step is 1, and 1/‖g‖ where
   * nothing is known yet.
   */
  function found(ray: TrialRay): boolean {
    pairs.direction(ray.D, ray.G, ray.X);
    if (pairs.preconditioned) ray.geometry.project(ray.D, ray.X);
    ray.slope0 = E.inner(ray.G, ray.D).value;
    if (!(ray.slope0 < 0)) {
      pairs.clear();
      E.axpby(ray.D, -1, ray.G, 0);
      ray.slope0 = -state.gnorm * state.gnorm;
    }
    dnorm.value = Math.sqrt(E.inner(ray.D, ray.D).value);
    ray.max = stepCap / dnorm.value;
    ray.t = pairs.size > 0 ? 1 : 1 / dnorm.value;
    ray.begin();
    return search(ray);
  }

  /** The old gradient, the direction and the pairs, moved to the new tangent space */
  function transport({ geometry, Gt, D, X }: TrialRay): void {
    if (geometry.name === "euclidean") return;
    geometry.project(Gt, X);
    geometry.project(D, X);
    for (let i = 0; i < 2 * pairs.size; i++) geometry.project(pairs.vectors[i]!, X);
    pairs.refresh();
  }
}
