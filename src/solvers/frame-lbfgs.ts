import { noEvaluations } from "../objective.js";
import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Evaluations, Objective, Ray, Reason, Search, Small, Solver, Tall } from "../types.js";
import { frame, type Tangent } from "./frame.js";
import { frameFirstMatrix } from "./frame-first-matrix.js";
import { frameMemory } from "./frame-memory.js";
import { advance, newState, noStep, notFinite, roundingFloor } from "./state.js";

export interface FrameOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  evaluations?: Evaluations;
  /** a matrix for the gradient at X0, made elsewhere */
  gradient?: Tall;
}

/** A point, its value, its gradient in the frame and its multiplier. */
interface Point {
  readonly X: Tall;
  g: Tangent;
  readonly S: Small;
  f: number;
}

/** Pairs that are kept; more save evaluations in long runs, but not the time of their inner products. */
const PAIRS = 3;
/** Vectors of so few numbers cost no more than the call that reads them. */
const LIGHT = { numbers: 512, pairs: 10 };

/** Below this part of the largest gradient a search that finds nothing has met rounding. */
const ROUNDING = 1e-7;

/**
 * Limited-memory BFGS in the moving frame, for any f: ExPen shifted and dissolved at every step, as in dissolved-expen.ts, with vectors
 * kept as pairs (Z, Ω) and a first matrix that is learned for both parts (frame-first-matrix.ts). The slope at a trial point Y is
 * ⟨g(Y), D⟩ of the pairs, right to first order.
 */
export function* frameExpen(
  E: Engine,
  f: Objective,
  X0: Tall,
  {
    memory = f.n * f.p <= LIGHT.numbers ? LIGHT.pairs : PAIRS,
    search = hagerZhang(),
    stepCap = Math.sqrt(f.p),
    evaluations = noEvaluations(),
    gradient,
  }: FrameOptions = {},
): Solver {
  const { n, p } = f;
  const fr = frame(E, n, p);
  const pairs = frameMemory(fr, Math.max(1, memory));
  const H0 = frameFirstMatrix(E, p);
  let D = fr.tangent();
  const point = (G?: Tall): Point => ({ X: E.tall(n, p), g: fr.tangent(G), S: E.small(p, p), f: Number.NaN });
  let [x, y] = [point(gradient), point()];
  let sawNonFinite = false;
  const ray = {
    f0: Number.NaN,
    slope0: Number.NaN,
    max: Number.NaN,
    t: Number.NaN,
    ft: Number.NaN,
    slopeT: Number.NaN,
    move() {
      const feasible = fr.retract(y.X, x.X, ray.t, D);
      if (feasible) evaluate(y);
      ray.ft = feasible ? y.f : Number.POSITIVE_INFINITY;
    },
    differentiate() {
      ray.slopeT = fr.inner(y.g, D);
    },
  } satisfies Ray;

  E.copy(x.X, X0);
  evaluate(x);
  const state = newState({ X: x.X, f: x.f, evaluations }, Math.sqrt(fr.inner(x.g, x.g)));
  yield state;
  if (!Number.isFinite(x.f + state.gnorm)) {
    return notFinite(`f or its gradient is not finite at the start (f = ${x.f})`);
  }
  for (;;) {
    const length = step();
    if (typeof length !== "number") return length;
    const pair = pairs.push(ray.t, D, x.g, y.g);
    if (pair.sy > 0) H0.learn(y.S, pair);
    [D, x.g] = pair.free;
    [x, y] = [y, x];
    advance(state, x, Math.sqrt(pair.gg), length);
    yield state;
    if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
  }

  /** y ← an acceptable point along −H·g, with less and less trusted; the length of the step, or why there is none. */
  function step(): number | Reason {
    for (;;) {
      const length = begin();
      if (ray.slope0 < 0 && search(ray)) return ray.t * length;
      if (pairs.size() > 0) pairs.clear();
      else if (H0.learned()) H0.forget();
      else if (state.gnorm <= ROUNDING * state.gnormMax) return roundingFloor(state.gnorm);
      else return noStep({ sawNonFinite }, state.gnorm);
    }
  }

  /** D ← −H·g; the first trial is the whole step, or of length 1 where nothing is known yet. Returns ‖D‖. */
  function begin(): number {
    ray.slope0 = pairs.descend(D, x.g, H0.apply);
    const length = Math.sqrt(fr.inner(D, D));
    sawNonFinite = false;
    ray.f0 = x.f;
    ray.max = stepCap / length;
    ray.t = H0.learned() ? 1 : 1 / length;
    return length;
  }

  function evaluate(at: Point): void {
    at.f = fr.gradient(at.g, at.S, at.X, f.fg);
    if (!Number.isFinite(at.f)) sawNonFinite = true;
  }
}
