import { amount, chosenOptions, func, object, type SchemaOf, whole } from "../../options.js";
import { hagerZhang } from "../../search/hager-zhang.js";
import type { Space } from "../../space.js";
import type { Precondition, Search, Solver } from "../../types.js";
import type { Method, TrialRay } from "../ray.js";
import { advance, newState, noStep, notFinite, roundingFloor } from "../state.js";
import { type FirstMatrix, scaledIdentity, scaledPreconditioner } from "./first-matrix.js";
import { lbfgsMemory } from "./lbfgs-memory.js";

export interface LbfgsOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** a pair is stored only if ⟨s, y⟩ > caution·‖g‖·⟨s, s⟩ (Li and Fukushima) */
  caution?: number;
  /** first matrix of each update, up to a factor, on the tangent space */
  precondition?: Precondition;
  /** the first matrix itself, in place of a preconditioner */
  first?: FirstMatrix;
}

/** Where no search succeeds, a gradient below this part of the largest one is rounding. */
const FLOOR = 1e-7;

const SCHEMA: SchemaOf<LbfgsOptions> = {
  memory: whole(0),
  search: func,
  stepCap: amount,
  caution: amount,
  precondition: func,
  first: object,
};

/**
 * Limited-memory BFGS on ℝⁿˣᵖ or on a manifold, where the stored pairs are moved to each new tangent space. Started again, it keeps
 * its pairs: they serve as long as the function changes little. Holds 2·memory n×p matrices beyond the 5 of its ray and those of
 * its first matrix.
 */
export function lbfgs(E: Space, n: number, p: number, options: LbfgsOptions = {}): Method {
  const {
    memory = 4,
    search = hagerZhang(),
    stepCap = Number.POSITIVE_INFINITY,
    caution = 0,
    precondition,
    first: given,
  } = chosenOptions("lbfgs", options, SCHEMA);
  const pairs = lbfgsMemory(E, n, p, memory);
  let first = given ?? (precondition ? undefined : scaledIdentity(E));

  return function* (ray: TrialRay): Solver {
    const H0 = (first ??= scaledPreconditioner(E, n, p, ray.geometry, precondition!));
    const { transport } = ray.geometry;
    if ((E.foresee ?? E.ranks) && !transport) ray.beside = { foresee, came: measureD };
    pairs.restart();
    H0.learn(ray.X);
    const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
    yield state;
    if (!Number.isFinite(ray.f + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    }
    let dd = 0;
    for (;;) {
      while (!found()) {
        // less and less is trusted: first the pairs, then the first matrix
        if (pairs.size > 0) pairs.clear();
        else if (!H0.forget())
          return state.gnorm <= FLOOR * state.gnormMax ? roundingFloor(state.gnorm) : noStep(ray, state.gnorm);
      }
      measureD();
      ray.accept();
      if (transport) {
        const move = (Z: typeof ray.D): void => transport(Z, ray.x);
        move(ray.Gt);
        move(ray.D);
        pairs.transport(move);
      }
      const length = ray.t * Math.sqrt(dd);
      const pair = pairs.update(ray, dd, caution * state.gnorm * length ** 2);
      H0.learn(ray.X, pair);
      // its y is not kept
      if (!pair.stored) H0.multiple?.();
      advance(state, ray, Math.sqrt(pair.gg), length);
      if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
      yield state;
    }

    /** Everything that the slope at a trial point decides about, with it: in one message, or in one pass on a device */
    function foresee(refused: boolean): void {
      if (!refused) {
        if (E.ranks) H0.foresee?.({ t: ray.t, D: ray.D, change: () => pairs.change(ray) });
        pairs.foresee(ray);
      }
      if (Number.isNaN(dd)) E.dot(ray.D, ray.D);
    }

    /** ⟨D, D⟩, where it was put off, and the cap on the step with it */
    function measureD(): void {
      if (!Number.isNaN(dd)) return;
      dd = E.dot(ray.D, ray.D);
      ray.max = stepCap / Math.sqrt(dd);
    }

    /** The direction −H·g and a search along it, from the step 1, or from one of length 1 where no size is known yet. */
    function found(): boolean {
      ray.slope0 = pairs.direction(ray, H0);
      const sized = pairs.size > 0 || H0.scaled;
      // where a bound of ‖D‖ allows the first trial, ‖D‖ itself may come with its slope
      const bounded = sized && pairs.reach < stepCap;
      dd = bounded ? Number.NaN : E.dot(ray.D, ray.D);
      const length = bounded ? pairs.reach : Math.sqrt(dd);
      if (!(ray.slope0 < 0 && Number.isFinite(length))) return false;
      ray.max = stepCap / length;
      ray.t = sized ? 1 : 1 / length;
      ray.begin();
      return search(ray);
    }
  };
}
