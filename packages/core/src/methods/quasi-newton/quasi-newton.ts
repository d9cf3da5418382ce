import type { Search, Solver } from "../../contracts/method.js";
import type { RayIn } from "../../contracts/ray.js";
import { hagerZhang } from "../../search/hager-zhang.js";
import { noStep } from "../no-step.js";
import { advance, newState, notFinite, roundingFloor } from "../state.js";
import type { Vectors } from "../vectors.js";
import type { CurvaturePairs, PairOptions } from "./curvature-pairs.js";
import type { FirstMatrix } from "./first/first-matrix.js";
import { curvaturePairs } from "./pairs.js";

export interface SearchOptions {
  search?: Search | undefined;
  /** a pair is stored only if ⟨s, y⟩ > caution·‖g‖·⟨s, s⟩ (Li and Fukushima) */
  caution?: number;
  /** ‖t·D‖ is at most this */
  longestStep?: number;
}

export interface QuasiNewtonOptions extends PairOptions, SearchOptions {
  /** curvature pairs that are stored */
  memory: number;
}

/** φ(t) − φ(0) ≤ ARMIJO·t·φ'(0): a unit step that gains little still brings a pair, and a second trial costs as much as the next step. */
const ARMIJO = 0.01;
/** Where no search succeeds, a gradient below this part of the largest one is roundoff. */
const ROUNDING = 1e-7;
/**
 * Limited-memory BFGS (Nocedal and Wright, Alg. 7.5) on a ray over vectors V: D = −H·g with the curvature pairs and a first matrix H₀, then
 * a line search along D. With V = Tall, blocks of one pair and H₀ = γI it is that algorithm; in the frame of X, with block updates and the
 * frame's first matrix, it is the default of the project (frame-expen.ts). On a manifold with transport the stored pairs are moved to each
 * new tangent space. Started again, it keeps its pairs: they serve as long as the function changes little.
 */
export function quasiNewton<V>(
  vectors: Vectors<V>,
  first: FirstMatrix<V>,
  { memory, block, radius, growth, ...options }: QuasiNewtonOptions,
): (ray: RayIn<V>) => Solver {
  return quasiNewtonWith(vectors, first, curvaturePairs(vectors, memory, { block, radius, growth }), options);
}

/** The same with directions of the given pairs */
export function quasiNewtonWith<V>(
  vectors: Vectors<V>,
  first: FirstMatrix<V>,
  pairs: CurvaturePairs<V>,
  { search = hagerZhang({ delta: ARMIJO }), caution = 0, longestStep = Number.POSITIVE_INFINITY }: SearchOptions,
): (ray: RayIn<V>) => Solver {
  return function* (ray) {
    const { transport, normSquared } = ray.coordinates;
    /** ⟨D, D⟩ and ⟨g(Y), D⟩ */
    const ofD = vectors.sums(2);
    const isPrepared = vectors.sumsTravel && !transport;
    ray.slope = slopeAtTrial;
    ray.onLargerSpace = forgetAll;
    pairs.restart();
    first.learn(ray.X);
    const state = newState(ray, Math.sqrt(normSquared?.(ray.G, ray.X) ?? vectors.inner(ray.G, ray.G)));
    yield state;
    if (!Number.isFinite(ray.f + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    }
    /** ⟨D, D⟩; NaN where it is put off */
    let dd = Number.NaN;
    for (;;) {
      while (!findsStep()) {
        // less and less is trusted: first the pairs, then the first matrix
        if (pairs.size > 0) pairs.clear();
        else if (!first.forget())
          return state.gnorm <= ROUNDING * state.gnormMax ? roundingFloor(state.gnorm) : noStep(ray, state.gnorm);
      }
      measureD();
      const { t } = ray;
      const length = Math.sqrt(dd);
      ray.accept();
      if (transport) {
        const move = (A: V): void => transport(A, ray.x);
        move(ray.Gt);
        move(ray.D);
        pairs.transport(move);
      }
      const step = t * length;
      const pair = pairs.update(ray, t, dd, caution * state.gnorm * step ** 2);
      first.learn(ray.X, pair);
      if (pair.stored && pairs.newest) first.compare?.(ray.X, pairs.newest, ray.Gt);
      // y of a pair that is not stored is overwritten by the next trial point
      if (!pair.stored) first.multiple?.value();
      advance(state, ray, Math.sqrt(normSquared?.(ray.G, ray.X) ?? pair.gg), step);
      if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
      yield state;
    }

    /** The direction −H·g and a search along it, from the step 1, or from one of length 1 where the size of H is not known yet. */
    function findsStep(): boolean {
      ray.slope0 = pairs.direction(ray, first);
      const sized = pairs.size > 0 || first.scaled;
      // where a bound of ‖D‖ allows the first trial, ‖D‖ itself may come with its slope
      const bounded = sized && pairs.bound < longestStep;
      dd = bounded ? Number.NaN : vectors.inner(ray.D, ray.D);
      const length = bounded ? pairs.bound : Math.sqrt(dd);
      if (!(ray.slope0 < 0 && Number.isFinite(length))) return false;
      ray.max = longestStep / length;
      ray.t = sized ? 1 : 1 / length;
      ray.begin();
      return search(ray);
    }

    /** ⟨g(Y), D⟩ at the trial point Y, with all inner products that an accepted one needs */
    function slopeAtTrial(isRefused: boolean): number {
      const isPutOff = Number.isNaN(dd);
      if (isPutOff) ofD.inner(0, ray.D, ray.D);
      if (isPrepared && !isRefused) {
        first.prepare?.({ t: ray.t, D: ray.D, change: () => pairs.change(ray) });
      }
      const isAlone = isRefused || transport !== undefined;
      if (isAlone) ofD.inner(1, ray.Gt, ray.D);
      const slope = isAlone ? undefined : pairs.trialProducts(ray);
      ofD.arrive();
      if (isPutOff) measureD(ofD.at[0]!);
      return slope ?? ofD.at[1]!;
    }

    /** Sets ⟨D, D⟩ if it was put off, and the bound of the step with it. */
    function measureD(value?: number): void {
      if (!Number.isNaN(dd)) return;
      dd = value ?? vectors.inner(ray.D, ray.D);
      ray.max = longestStep / Math.sqrt(dd);
    }

    function forgetAll(): void {
      pairs.clear();
      first.forget();
    }
  };
}
