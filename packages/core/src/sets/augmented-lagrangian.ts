import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Reason, Solver, State } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { newState } from "../methods/state.js";
import { kinkAt } from "../run/kink.js";
import { type Block, type Residuals, residuals, updateShifts, worst } from "./block.js";
import { nearestFeasible } from "./feasible.js";
import { searchFeasible } from "./infeasible.js";
import { innerMethod } from "./inner.js";
import type { Lagrangian } from "./lagrangian.js";

/** Numbers of the method without a unit; `npm run bench -- --suite sets` measures them again. */
export interface AugmentedRules {
  /** ρ at the start, in units of ‖grad f(X0)‖ over a unit length */
  readonly penalty: number;
  /** factor of ρ where the residual has not fallen to `enough` of the last one */
  readonly growth: number;
  readonly enough: number;
  /** gradient of the first inner run, in ‖grad f(X0)‖, and of the later ones, in the change that the multipliers bring */
  readonly first: number;
  readonly relative: number;
  /** steps of an inner run, and runs */
  readonly steps: number;
  readonly runs: number;
  /** the residual whose fall decides on ρ: max |V|, or ‖V‖ */
  readonly residual: "largest" | "norm";
  /** Points may be called infeasible, and ρ has a bound. */
  readonly mayFail: boolean;
}

/** For g ≤ 0 and h = 0 in general [Birgin and Martínez, Practical Augmented Lagrangian Methods, Alg. 4.1, with other numbers] */
const GENERAL: AugmentedRules = {
  penalty: 1,
  growth: 10,
  enough: 0.5,
  first: 0.1,
  relative: 0.1,
  steps: 1000,
  runs: 100,
  residual: "largest",
  mayFail: true,
};

/** ρ at most, in its first value: above it differences of L have no digits. */
const LARGEST_PENALTY = 1e8;
/** ρ/ρ0 from which a point that stays infeasible raises a search for feasible ones, and the growth of ρ until the next search */
const SUSPICION = { penalty: 1e4, growth: 100 };
/** Times that a run begins again from a feasible point far from its own, each with a ρ larger by this factor */
const [RESTARTS, RESTART_PENALTY] = [3, 100];
/** Where g over its size is small, and g is still this many tolerances: X is restored, since changes of λ would come to it slowly. */
const STEEP = 30;
/** of the random points of searches */
const SEED = 101;
/** A fall of f by this many times |f(X0)| + ‖grad f(X0)‖ is without end. */
const ENDLESS = 1e30;
/** Roundoff of a gradient at most, in ‖grad f(X0)‖: a larger one ends no run as a solution. */
const FLOOR = 1e-3;
/** The inner runs go a little below the tolerance: the projection at the end changes the gradient by roundoff. */
const MARGIN = 0.9;

export interface AugmentedOptions {
  on: Constraint;
  blocks: readonly Block[];
  /** ‖grad L‖ to reach */
  tolerance: number;
  /** violation and complementarity to reach */
  constraintTolerance: number;
  /** ‖grad f‖, the unit of ρ */
  unit: number;
  rules?: AugmentedRules;
  /** the first ρ; left out: that of the rules */
  penalty?: number;
  evaluations: Evaluations;
  /** L as the run sees it; left out: L itself */
  objective?: Objective;
  /** Ends the method after an inner run, with a reason. */
  enough?(X: Tall, r: Residuals): Reason | undefined;
}

/**
 * Minimises f subject to g ≤ 0 and h = 0 on a manifold by the augmented Lagrangian L = f + Σ ρφ(X, Θ): the default minimises L to a
 * tolerance in proportion to the last change of the multipliers, then λ ← ρ(Θ + V), and ρ grows where V has not halved. Curvature pairs
 * are kept as long as ρ is. Everything is in units of ‖grad f(X0)‖: s·f takes the same steps.
 */
export function* augmentedLagrangian(
  E: Engine,
  L: Lagrangian,
  X0: Tall,
  {
    on,
    blocks,
    tolerance,
    constraintTolerance,
    unit,
    rules = GENERAL,
    penalty = rules.penalty * unit,
    evaluations,
    enough,
    objective = L,
  }: AugmentedOptions,
): Solver {
  L.rho = penalty;
  const largest = LARGEST_PENALTY * Math.max(L.rho, unit);
  const inner = innerMethod(E, objective, on, evaluations);
  const target = MARGIN * tolerance;
  let accuracy = Math.max(target, rules.first * unit);
  let before = Number.POSITIVE_INFINITY;
  let state: State | undefined;
  /** inner runs without a step, one after the other */
  let idle = 0;
  let suspicious = SUSPICION.penalty * L.rho;
  let restarts = 0;
  /** the last X was moved to a feasible point */
  let isRestored = false;
  let scratch: [Tall, Tall] | undefined;
  let X = X0;
  L.f(X0);
  const endless = L.last.f - ENDLESS * (Math.abs(L.last.f) + unit * Math.max(1, on.size));
  for (let run = 0; run < rules.runs; run++) {
    const steps = inner.run(X);
    let [count, gradient] = [0, Number.POSITIVE_INFINITY];
    let end: Reason | undefined;
    for (;;) {
      const next = steps.next();
      if (next.done) {
        end = next.value;
        break;
      }
      const s = next.value;
      [count, gradient] = [s.k, s.gnorm];
      if (!state || s.k > 0 || isRestored) yield (state = progress(state, s));
      if (L.last.f < endless) {
        const text = `f falls without end along the constraints (${digits(L.last.f)} at the last point): is it bounded below?`;
        return { kind: "unbounded", converged: false, text };
      }
      if (s.gnorm <= accuracy || s.k >= rules.steps) break;
    }
    X = inner.X;
    if (end?.kind === "not-finite" || end?.kind === "unbounded") return end;
    if (rules.mayFail && gradient > accuracy && (count >= rules.steps || end?.kind === "search-failed")) {
      // the driver adds the sentence of the kink
      const text = `the gradient norm of f with its constraints does not fall below ${digits(gradient)}`;
      if (kinkAt(E, L, on, X)) return { kind: "search-failed", converged: false, text };
    }
    // V of this X: the last evaluation may have been another trial point
    L.f(X);
    const r = residuals(blocks, L.rho);
    const isAtFloor = end?.kind === "rounding" && gradient <= FLOOR * unit;
    if (worst(r) <= constraintTolerance && (gradient <= target || isAtFloor)) {
      const where = `violation ${digits(r.violation)}, complementarity ${digits(r.complementarity)}`;
      const text = `gradient norm of the Lagrangian ${digits(gradient)} ≤ ${digits(tolerance)}, ${where}`;
      return isAtFloor ? end! : { kind: "gradient", converged: true, text };
    }
    const reason = enough?.(X, r);
    if (reason) return reason;
    idle = count === 0 && end ? idle + 1 : 0;
    const stalls = worst(r) > constraintTolerance && r[rules.residual] > rules.enough * before;
    if (rules.mayFail && stalls && r.violation > constraintTolerance && L.rho >= suspicious) {
      suspicious *= SUSPICION.growth;
      const search = searchFeasible(E, on, blocks, X, { constraintTolerance, seed: SEED + restarts });
      if (search.where === "nowhere") {
        X = search.X;
        L.f(X);
        yield (state = progress(state, { ...state!, X }));
        return { kind: "infeasible", converged: false, text: search.text };
      }
      if (search.where === "elsewhere" && restarts < RESTARTS) {
        restarts++;
        X = search.X;
        for (const { E: own, shifts } of blocks) for (const theta of shifts) own.fill(theta, 0);
        inner.forget();
        // from a feasible point, where a larger ρ holds it
        L.rho = RESTART_PENALTY ** restarts * rules.penalty * unit;
        [suspicious, before] = [SUSPICION.penalty * L.rho, Number.POSITIVE_INFINITY];
        accuracy = Math.max(target, rules.first * unit);
        continue;
      }
      // V of the shifts again; a stationary point that is a saddle, or a maximum, of the violations is left
      X = search.X;
      L.f(X);
      inner.forget();
    }
    if (rules.mayFail && stalls && L.rho * rules.growth > largest)
      return short("the penalty parameter is at its bound", r);
    // without a step and without a change of L the next run would be the same
    if (idle > 1 && !stalls && worst(r) <= constraintTolerance) return end!;
    const next = stalls ? L.rho * rules.growth : L.rho;
    const change = Math.min(L.rho * r.norm, rules.mayFail ? gradientChange(X) : Number.POSITIVE_INFINITY);
    accuracy = Math.max(target, Math.min(accuracy, rules.relative * change));
    updateShifts(blocks, L.rho, next);
    if (next !== L.rho) inner.forget();
    L.rho = next;
    isRestored = r.largest <= constraintTolerance && r.violation > STEEP * constraintTolerance;
    if (isRestored) X = nearestFeasible(E, on, blocks, X, constraintTolerance).X;
    before = r[rules.residual];
  }
  return short(`${rules.runs} changes of the multipliers were made`, residuals(blocks, L.rho));

  /** ‖grad L‖ that the change of the multipliers brings: the g have gradients of different lengths */
  function gradientChange(X: Tall): number {
    scratch ??= [E.tall(L.n, L.p), E.tall(L.n, L.p)];
    const [G, H] = scratch;
    L.fg(G, X);
    const before = blocks.map(({ E: own, shifts }) => shifts.map((theta) => own.read(theta)));
    updateShifts(blocks, L.rho, L.rho);
    L.fg(H, X);
    for (const [b, { E: own, shifts }] of blocks.entries())
      for (const [k, theta] of shifts.entries()) own.write(theta, before[b]![k]!);
    E.combine(H, 1, H, -1, G);
    // V of the shifts before
    L.fg(G, X);
    on.dissolver.tangent(H, pointOf(E, on)(X));
    return norm(E, H);
  }

  function short(why: string, { violation, complementarity }: Residuals): Reason {
    const residual = `violation ${digits(violation)} and complementarity ${digits(complementarity)}`;
    const text = `${why} with ${residual}, where constraintTolerance is ${digits(constraintTolerance)}`;
    return { kind: "constraint-tolerance", converged: false, text };
  }

  /** The state of the inner run in that of the method, whose gradient norm is 0 only where the constraints hold too */
  function progress(last: State | undefined, s: State): State {
    let squares = 0;
    for (const { E, changes, sizes } of blocks) {
      const size = sizes ? Math.max(1, ...sizes) : 1;
      for (const V of changes) squares += size * size * E.dot(V, V);
    }
    const weight = Math.max(L.rho, tolerance / constraintTolerance);
    const gnorm = Math.hypot(s.gnorm, weight * Math.sqrt(squares));
    const { f } = L.last;
    const own = last ?? newState({ X: s.X, f, evaluations }, gnorm);
    Object.assign(own, { X: s.X, f, gnorm, step: s.step, decrease: s.decrease });
    own.gnormMax = Math.max(own.gnormMax, gnorm);
    if (last) own.k++;
    own.notes = { penalty: L.rho, residual: Math.sqrt(squares) };
    return own;
  }
}
