import type { Constraint } from "../../constraints/constraint.js";
import { stiefelConstraint } from "../../constraints/stiefel.js";
import { noEvaluations } from "../../objective/objective.js";
import { hagerZhang } from "../../search/hager-zhang.js";
import type { Engine, Evaluations, Objective, Ray, Reason, Search, Small, Solver, Tall } from "../../types.js";
import { advance, newState, noStep, notFinite, roundingFloor } from "../state.js";
import type { Tangent } from "./frame.js";
import { frameMemory } from "./memory.js";
import { frameOn } from "./on.js";

export interface FrameOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
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
  readonly g: Tangent;
  readonly S: Small;
  f: number;
}

/**
 * Pairs that are kept: more save evaluations in long runs, and cost time by the numbers in them. So there are as many as have `NUMBERS`
 * entries of X together.
 */
const PAIRS = { least: 3, most: 20 };
const NUMBERS = 8000;
/**
 * What couples the parts of a product is learned by the pairs alone (singular vectors as f(U, V): a fifth fewer evaluations), and beside
 * products of complex matrices pairs cost little (a seventh fewer on Hermitian eigenvalues).
 */
export const MORE_PAIRS = 10;

export function usualMemory({ shape: { n, p }, traits }: Constraint): number {
  const least = traits.parts || (traits.coordinates === "basis" && !traits.orthonormal) ? MORE_PAIRS : PAIRS.least;
  return Math.min(Math.max(Math.round(NUMBERS / (n * p)), least), PAIRS.most);
}

/** φ(t) − φ(0) ≤ LENIENT·t·φ'(0): a whole step that gains little still brings a pair, and a second trial costs as much as the next step. */
const LENIENT = 0.01;

/** A shorter step is straight: the way back takes less than 1e-4 of it. */
const BENT = 0.01;

/** Below this part of the largest gradient a search that finds nothing has met rounding. */
const ROUNDING = 1e-7;

/**
 * Limited-memory BFGS in the moving frame, for any f: ExPen shifted and dissolved at every step, as in expen/dissolved.ts, with vectors
 * kept as pairs (Z, Ω) and a first matrix that is learned for both parts (frame/first-matrix.ts). The slope at a trial point Y is
 * ⟨g(Y), D⟩ of the pairs, right to first order.
 */
export function* frameExpen(
  E: Engine,
  f: Objective,
  X0: Tall,
  {
    on = stiefelConstraint(E, f.n, f.p),
    memory = usualMemory(on),
    search = hagerZhang({ delta: LENIENT }),
    stepCap: cap,
    evaluations = noEvaluations(),
    gradient,
  }: FrameOptions = {},
): Solver {
  const { n, p } = f;
  const { frame: fr, first: H0 } = frameOn(E, on);
  const stepCap = cap ?? fr.reach;
  const pairs = frameMemory(fr, Math.max(1, memory));
  let D = fr.tangent();
  const point = (G?: Tall): Point => ({ X: E.tall(n, p), g: fr.tangent(G), S: E.small(p, p), f: Number.NaN });
  let [x, y] = [point(gradient), point()];
  let sawNonFinite = false;
  /** ‖D‖; NaN where it is put off */
  let length = Number.NaN;
  /** the trial point y was met by the pairs, and the change of the gradient to it is known */
  let [met, changed] = [false, false];
  const ray = {
    f0: Number.NaN,
    slope0: Number.NaN,
    max: Number.NaN,
    t: Number.NaN,
    ft: Number.NaN,
    slopeT: Number.NaN,
    move() {
      met = changed = false;
      fr.retract(y.X, x.X, ray.t, D);
      evaluate(y);
      ray.ft = y.f;
    },
    differentiate(refused = false) {
      E.ranks?.foresee(() => foresee(refused));
      ray.slopeT = refused ? fr.inner(y.g, D) : meet();
      measureD();
    },
  } satisfies Ray;

  E.copy(x.X, X0);
  evaluate(x);
  const state = newState({ X: x.X, f: x.f, evaluations }, Math.sqrt(fr.square?.(x.g, x.X) ?? fr.inner(x.g, x.g)));
  yield state;
  if (!Number.isFinite(x.f + state.gnorm)) {
    return notFinite(`f or its gradient is not finite at the start (f = ${x.f})`);
  }
  for (;;) {
    const why = step();
    if (why) return why;
    measureD();
    if (!met) meet();
    if (!changed) pairs.change(x.g, y.g);
    const t = ray.t * gone();
    const pair = pairs.push(t, D, length);
    if (pair.sy > 0) H0.learn(y.S, pair);
    D = pair.free;
    [x, y] = [y, x];
    advance(state, x, Math.sqrt(fr.square?.(x.g, x.X) ?? pair.gg), t * length);
    yield state;
    if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
  }

  /** y ← an acceptable point along −H·g, with less and less trusted; nothing, or why there is none. */
  function step(): Reason | undefined {
    for (;;) {
      begin();
      if (ray.slope0 < 0 && search(ray)) return undefined;
      if (pairs.size() > 0) pairs.clear();
      else if (H0.learned()) H0.forget();
      else if (state.gnorm <= ROUNDING * state.gnormMax) return roundingFloor(state.gnorm);
      else return noStep({ ...ray, sawNonFinite }, state.gnorm);
    }
  }

  /** D ← −H·g; the first trial is the whole step, or of length 1 where nothing is known yet. */
  function begin(): void {
    ray.slope0 = pairs.descend(D, x.g, H0.apply);
    // where a bound of ‖D‖ allows the first trial, ‖D‖ itself may come with its slope
    const bounded = H0.learned() && pairs.reach() < stepCap;
    length = bounded ? Number.NaN : Math.sqrt(fr.inner(D, D));
    sawNonFinite = false;
    ray.f0 = x.f;
    ray.max = stepCap / (bounded ? pairs.reach() : length);
    ray.t = H0.learned() ? 1 : 1 / length;
  }

  /** Everything that the slope at a trial point decides about, in one message with it */
  function foresee(refused: boolean): void {
    if (Number.isNaN(length)) fr.inner(D, D);
    if (refused) return;
    changed = true;
    H0.foresee({ D, y: pairs.change(x.g, y.g) });
    fr.chord?.(x.X, y.X);
  }

  /** ⟨g(Y), D⟩ at a trial point that may be taken */
  function meet(): number {
    met = true;
    return pairs.meet(D, y.g);
  }

  /** ‖D‖, where it was put off, and the cap on the step with it */
  function measureD(): void {
    if (!Number.isNaN(length)) return;
    length = Math.sqrt(fr.inner(D, D));
    ray.max = stepCap / length;
  }

  /** What the way back has left of the step tD: the change of the gradient is that of ‖Y − X‖, not of ‖tD‖ */
  function gone(): number {
    const whole = ray.t * length;
    return fr.chord && whole > BENT ? fr.chord(x.X, y.X) / whole : 1;
  }

  function evaluate(at: Point): void {
    const G = fr.room(at.g);
    at.f = f.fg(G, at.X);
    if (!Number.isFinite(at.f)) sawNonFinite = true;
    else if (fr.split(at.g, at.S, at.X, G)) {
      pairs.clear();
      H0.forget();
    }
  }
}
