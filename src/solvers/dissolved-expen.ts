import { type InverseRoot, inverseRoot } from "../linalg/inverse-root.js";
import { blockScratch, fetcher, within } from "../linalg/tall.js";
import { noEvaluations } from "../objective.js";
import { Cell } from "../scalar.js";
import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Evaluations, Matrix, Objective, Ray, Reason, Search, Solver, State } from "../types.js";
import { type BrockettMetric, brockettMetric } from "./brockett-metric.js";
import { DensityMultiplier, type Multiplier, PlainMultiplier } from "./multiplier.js";
import { MultiplierMetric } from "./multiplier-metric.js";
import { type FirstMatrix, SecantMemory } from "./secant-memory.js";
import { advanced, newState, noStep, notFinite, roundingFloor } from "./state.js";
import { stepwise } from "./stepwise.js";

export interface DissolvedOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** n×p, nobody's while the solver takes a step: what it needs for the time of a step is put there */
  scratch?: Matrix;
  /** X0 becomes one of the solver's own matrices */
  takeStart?: boolean;
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
 * whatever β is: none is needed. One evaluation costs 7np² flops beside f, two products less than ∇h off the manifold (6np² where f declares its density). Seen from the manifold it
 * is a quasi-Newton method with A iterated as its retraction, free of factorizations and of transport. Directions are those of
 * limited-memory BFGS with the multiplier in its first matrix (multiplier-metric.ts; brockett-metric.ts where f = ½⟨X, BXC⟩ is declared). The slope at a trial point is taken as ⟨∇h(Y), D⟩, right up
 * to terms of order ‖K‖. Holds 2·memory + 3 n×p matrices, a p×p matrix, and what does not find room in `scratch`. (docs/penalty.md)
 */
export function dissolvedExpen(E: Engine, f: Objective, X0: Matrix, options: DissolvedOptions = {}): Solver {
  const run = new Dissolved(E, f, X0, options);
  return stepwise(
    () => run.begin(X0),
    () => run.step(),
  );
}

/** A run, and the ray of its searches. */
class Dissolved implements Ray {
  f0 = Number.NaN;
  slope0 = Number.NaN;
  max = Number.NaN;
  t = Number.NaN;
  ft = Number.NaN;
  slopeT = Number.NaN;
  private readonly E: Engine;
  private readonly stepCap: number;
  readonly evaluations: Evaluations;
  private readonly search: Search;
  private readonly multiplier: Multiplier;
  private readonly block: readonly Matrix[];
  private readonly fetch: (A: Matrix) => void;
  private readonly K: Matrix;
  private readonly Z: Matrix;
  private readonly M: Matrix;
  private readonly root: InverseRoot;
  private readonly pairs: SecantMemory;
  private readonly metric: MultiplierMetric;
  /** where f = ½⟨X, BXC⟩ is declared */
  private readonly brockett: BrockettMetric | undefined;
  /** the metric in use */
  private H0: FirstMatrix;
  /** the metric is more than the identity */
  private learned = false;
  sawNonFinite = false;
  private state!: State;
  private readonly trial = new Cell();
  private readonly dnorm = new Cell();
  private readonly slope = new Cell();

  constructor(
    engine: Engine,
    f: Objective,
    X0: Matrix,
    {
      memory = 3,
      search = hagerZhang(),
      stepCap = Math.sqrt(f.p),
      scratch,
      takeStart,
      evaluations = noEvaluations(),
    }: DissolvedOptions,
  ) {
    const { n, p, quadratic, density } = f;
    const C = quadratic?.L ? undefined : quadratic?.C;
    // that metric acts on whole matrices
    const E = C ? { ...engine, block: Number.POSITIVE_INFINITY } : engine;
    this.E = E;
    const take = within(E, p, scratch);
    this.stepCap = stepCap;
    this.evaluations = evaluations;
    this.search = search;
    this.block = blockScratch(E, n, p, take);
    this.fetch = fetcher(E, this.block);
    this.K = take(p);
    this.Z = take(p);
    const [T, W] = [take(p), take(p)];
    this.M = take(p);
    this.multiplier = density
      ? new DensityMultiplier(E, density, take(n, 1), this.block)
      : new PlainMultiplier(E, f, this.block);
    this.root = inverseRoot(E, p, DISSOLVED, [T, W]);
    this.pairs = new SecantMemory(E, n, p, memory, this.block, takeStart ? X0 : undefined);
    this.metric = new MultiplierMetric(E, p, this.block, { small: [this.Z, T, W] });
    this.brockett = C && brockettMetric(E, n, { ...quadratic!, C }, this.M);
    this.H0 = this.brockett ?? this.metric;
  }

  begin(X0: Matrix): State {
    const { E, pairs } = this;
    const { Y } = pairs;
    if (Y.whole !== X0) E.copy(Y.whole, X0);
    for (let b = 0; b < Y.blocks.length; b++) this.multiplier.meet(b, Y.blocks[b]!);
    this.evaluate();
    if (this.brockett) this.learned = this.brockett.learn();
    pairs.restart();
    this.f0 = this.ft;
    this.state = newState(this, Math.sqrt(pairs.gg.value));
    this.state.spare = pairs.Y.whole;
    return this.state;
  }

  step(): Reason | undefined {
    const reason = this.go();
    this.state.spare = this.pairs.Y.whole;
    return reason;
  }

  /** One accepted step, or why there is none. */
  private go(): Reason | undefined {
    const { pairs, metric, state, trial } = this;
    if (state.k === 0 && !Number.isFinite(this.f0 + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${this.f0})`);
    }
    while (!this.found()) {
      // less and less is trusted: first the pairs, then the metric
      if (pairs.size > 0) pairs.clear();
      else if (this.learned) {
        metric.forget();
        this.H0 = metric;
        this.learned = false;
      } else if (state.gnorm <= 1e-7 * state.gnormMax) return roundingFloor(state.gnorm);
      else return noStep(this, state.gnorm);
    }
    const { D, g, gt } = pairs;
    const dy = pairs.accept(trial);
    if (this.H0 === this.brockett) this.brockett.learn();
    else if (dy.value > 0 && (state.k < FIRST || state.k % PERIOD === 0)) {
      metric.learn(this.M, trial, D, pairs.dd, dy, g, gt);
      this.learned = true;
    }
    this.f0 = this.ft;
    state.gnorm = Math.sqrt(pairs.gg.value);
    state.step = trial.value * this.dnorm.value;
    advanced(state, this);
    return Number.isFinite(state.gnorm) ? undefined : notFinite("the gradient is not finite at the last point");
  }

  /** X + tD, dissolved, with value and gradient there */
  move(): void {
    const { E, block, K, Z, trial, multiplier, fetch } = this;
    const { Y } = this.pairs;
    trial.value = this.t;
    for (let b = 0; b < block.length; b++) {
      this.sum(b);
      E.gram(K, block[b]!, b === 0 ? 0 : 1);
    }
    if (!this.root(Z, K)) {
      this.ft = Number.POSITIVE_INFINITY;
      return;
    }
    // back, since the last blocks are still in cache
    for (let b = block.length - 1; b >= 0; b--) {
      const Yb = Y.blocks[b]!;
      if (block.length > 1) this.sum(b);
      fetch(Yb);
      E.mul(Yb, block[b]!, Z);
      multiplier.meet(b, Yb);
    }
    this.evaluate();
  }

  differentiate(): void {
    this.slopeT = this.slope.value;
  }

  /** the current point and its value */
  get X(): Matrix {
    return this.pairs.X.whole;
  }

  get f(): number {
    return this.f0;
  }

  /** the block of scratch ← that of X + tD */
  private sum(b: number): void {
    const { X, D } = this.pairs;
    this.E.combine(this.block[b]!, 1, X.blocks[b]!, this.trial, D.blocks[b]!);
  }

  /** ft ← f(Y), gt ← ∇h at the feasible Y, M ← its multiplier */
  private evaluate(): void {
    const { pairs, M } = this;
    this.ft = this.multiplier.evaluate(M, pairs.gt, pairs.Y).value;
    if (Number.isFinite(this.ft)) this.slope.value = pairs.project(M).value;
    else this.sawNonFinite = true;
  }

  /** A direction and a search along it. The trial step is 1, or of length 1 where nothing is known yet. */
  private found(): boolean {
    const { pairs, dnorm } = this;
    this.slope0 = pairs.descend(this.H0).value;
    dnorm.value = Math.sqrt(pairs.dd.value);
    this.max = this.stepCap / dnorm.value;
    this.t = this.learned ? 1 : 1 / dnorm.value;
    this.sawNonFinite = false;
    return this.slope0 < 0 && this.search(this);
  }
}
