import type { Evaluations, Objective, QuadraticForm, Reason, Solver } from "@expen/core";
import { dissolver, noEvaluations, plainPoint } from "@expen/core";
import { advance, DEFAULT_TOLERANCE, newState, notFinite, roundingFloor } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { orthonormalizer } from "@expen/linalg/dense";
import { confirmation } from "./confirmation.js";
import { columnsExpected, distance, FIRST_IN_ROUND, progressBy, solveSchedule } from "./convergence.js";
import { directEigenvectors } from "./direct-eigenvectors.js";
import { krylovOperator } from "./operator.js";
import { pairing } from "./pairing.js";
import { planOf } from "./plan.js";
import { columnsOf, type KrylovPairs } from "./projection.js";
import { rayleighQuotients } from "./rayleigh-quotients.js";
import { krylovSpace } from "./space.js";

export interface KrylovOptions {
  /** gradient norm at which the run stops; default: 1e-6, relative to the first gradient norm if that is below 1 */
  tolerance?: number;
  seed?: number;
  evaluations?: Evaluations;
}

/** Number of unconfirmed estimates within the tolerance that are taken as the rounding floor */
const REJECTED = 6;
/** Part of the tolerance below which the norm of one random combination of columns shows convergence: ‖grad f‖ is rarely much larger */
const CERTAIN = 0.1;
/** Part of the largest gradient norm below which a gradient may be roundoff */
const ROUNDING = 1e-8;
/** Largest cost of another way, over that of the run so far: the rate of few spaces is unreliable. */
const LARGEST_SWITCH_COST = 6;

const NOT_FINITE = notFinite("the operator gives numbers that are not finite");

/**
 * For f(X) = ½⟨X, BXC⟩: the eigenvectors at the ends of the spectrum of B (krylov/pairing.ts) by Lanczos' method with
 * blocks and thick restarts (Wu and Simon 2000; Stewart's Krylov–Schur 2001). V spans a Krylov space; with
 * B·V = V·T + Q·R·[0, I] and T = SΘSᵀ,
 *
 *     ‖B·(Vs) − θ·Vs‖ = ‖R·s_last‖
 *
 * is the residual of a Ritz pair, so that f and the gradient norm are known without a product. When V is full, the
 * Ritz vectors at the ends and Q begin the next space, which is again a Krylov space. Converged vectors are locked: they
 * stay in V and are orthogonalized against, so that each product with B goes to the others. krylov/confirmation.ts then
 * checks whether any eigenvector is missing.
 *
 * If B − σI can be factorized and the plan expects that to be cheaper, the spaces are those of (B − σI)⁻¹, σ below the
 * spectrum: its wanted eigenvalues are well separated (Ericsson and Ruhe, Math. Comp. 35, 1980). If not, and the run would take very many
 * columns, they are those of a polynomial of B (krylov/chebyshev-filter.ts).
 */
export function* krylovExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Tall,
  { tolerance, seed = 1, evaluations = noEvaluations() }: KrylovOptions = {},
): Solver {
  const { n, p, quadratic } = f;
  const { C, constant = 0 } = quadratic;
  const target = pairing(E, p, C);
  const { normal } = random(seed, "krylov");
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  E.copy(X, X0);
  const first = measure();
  const state = newState({ X, f: first.value, evaluations }, first.gnorm);
  yield state;
  if (!Number.isFinite(state.f + state.gnorm)) return notFinite("f or its gradient is not finite at the start");
  const goal = tolerance ?? DEFAULT_TOLERANCE * Math.min(1, state.gnormMax);
  const plan = planOf(E, n, p, quadratic);
  const operator = krylovOperator(E, n, quadratic, plan, seed);
  const way = plan.way(operator.inverse);
  const probe = way === "direct" ? plan.probeColumns() : 0;
  if (way === "direct" && probe === 0) return solveDirectly();
  const { b, most, guard } = plan.sizes;
  const [low, high] = [target.low, target.high].map((count) => count + guard(count)) as [number, number];
  const keptColumns = b * Math.ceil((low + high) / b);
  const space = krylovSpace(E, n, plan.sizes, normal);
  if (way === "inverse") invert();
  space.begin(X);
  const check = confirmation(target, [n, p, b], goal);
  const progress = progressBy((norms) => distance(target.columnNorms(norms), check.target / Math.sqrt(p)));
  const columnsToSolve = solveSchedule(b);
  /** columns until the next projected eigenproblem, and number of rejected estimates */
  let [wait, rejected] = [0, 0];
  if (probe > 0 && !plan.isPromising(estimateColumns(probe))) return solveDirectly();
  for (;;) {
    const { pairs, gnorm } = growSpace();
    if (!Number.isFinite(gnorm)) return NOT_FINITE;
    const mayMiss = check.mayMiss(pairs);
    const value = constant + target.value(pairs.theta);
    const { converged, random } = check.judge(pairs, gnorm, value, space.multiplied);
    show(pairs, value, Math.hypot(gnorm, mayMiss ? nextResidual(pairs) : 0, Math.sqrt(p) * roundingOf(pairs)));
    if (operator.notes && check.isComplete && state.gnorm <= goal && !verifyAndShow()) {
      operator.revert();
      delete state.notes;
      beginFromX();
      continue;
    }
    // a state within the tolerance is shown only once no vector is missing
    if (state.gnorm > goal || check.isComplete) yield state;
    else if (!random && ++rejected >= REJECTED) {
      check.accept(gnorm);
      rejected = 0;
    }
    if (converged && check.isComplete) {
      if (++rejected >= REJECTED) return roundingFloor(state.gnorm);
      check.tighten(gnorm);
    }
    // a round takes no longer than the spaces before it
    const faster = converged || check.isInRound ? undefined : findShorterWay(pairs);
    if (faster === "direct") return solveDirectly();
    if (faster === "inverse" && invert(pairs)) beginFromX();
    else if (faster === "filter") beginFromX();
    else restart(pairs, random);
  }

  /** Continues with spaces of (B − σI)⁻¹; false if no σ was found */
  function invert(pairs?: KrylovPairs): boolean {
    const isInverted = operator.invert(pairs);
    if (operator.notes) state.notes = operator.notes;
    return isInverted;
  }

  /** Begins a first space from X, without the old ones */
  function beginFromX(): void {
    progress.restart(space.multiplied);
    check.reset();
    space.begin(X);
  }

  /** Grows one space until it is full or, if the plan solves early, all wanted pairs have converged */
  function growSpace(): { pairs: KrylovPairs; gnorm: number } {
    const first = space.size + b;
    const earliest = check.isInRound ? FIRST_IN_ROUND : Math.max(wait, 1.3 * p - first);
    let next = plan.solvesEarly ? first + earliest : most;
    for (;;) {
      space.grow(operator.apply);
      const isFull = space.size + b > most;
      if (!isFull && space.size < next) continue;
      const own = operator.pairsOfB(space.ritzPairs());
      const pairs = operator.isFiltered ? withQuotients(own) : own;
      const gnorm = Math.hypot(...target.columnNorms(pairs.residual));
      const { size, multiplied } = space;
      wait = columnsToSolve({ size, multiplied, gnorm }, check.target, check.isInRound);
      if (isFull || !check.needsMore(pairs, gnorm, multiplied)) return { pairs, gnorm };
      next = size + wait;
    }
  }

  /** With the values and residuals of the wanted pairs by a product with B: those of a polynomial are crude where it is small */
  function withQuotients(pairs: KrylovPairs): KrylovPairs {
    space.multiply(
      X,
      columnsOf(
        pairs.s,
        pairs.theta.length,
        Array.from({ length: p }, (_, j) => j),
      ),
    );
    quadratic.apply(G, X);
    const first = rayleighQuotients(E, X, G);
    const [theta, residual] = [pairs.theta.slice(), pairs.residual.slice()];
    theta.set(first.theta);
    residual.set(first.residual);
    return { ...pairs, theta, residual };
  }

  /** Remaining columns, estimated from the first `columns` */
  function estimateColumns(columns: number): number {
    while (space.size < columns) space.grow(operator.apply);
    return columnsExpected(space.ritzPairs(), target, check.target / Math.sqrt(p));
  }

  /** A way that is cheaper than going on at the rate of the last spaces, and not expensive compared with the run so far */
  function findShorterWay(pairs: KrylovPairs): "direct" | "inverse" | "filter" | undefined {
    const columns = progress.columnsLeft(pairs, space.multiplied);
    const limit = Math.min(operator.seconds(columns), LARGEST_SWITCH_COST * operator.seconds(space.multiplied));
    const way = plan.wayBelow(limit, operator.inverse);
    if (way || !operator.filter(pairs, keptColumns, columns)) return way;
    state.notes = operator.notes!;
    return "filter";
  }

  /** Residual of the pair that a missed one would displace */
  function nextResidual({ residual }: KrylovPairs): number {
    return residual.at(target.low > 0 ? target.low : -1 - target.high)!;
  }

  /**
   * X ← orthonormal columns of (B − σI)⁻¹X, whose residuals were estimated (`pairsOfB`), and f there. False if their gradient is neither
   * within the tolerance nor roundoff: the declared matrix is not the one that `apply` multiplies with.
   */
  function verifyAndShow(): boolean {
    operator.apply(G, X);
    orthonormalizer(E, n, p)(X, G);
    const { value, gnorm } = measure();
    state.f = value;
    state.gnorm = gnorm;
    return gnorm <= Math.max(goal, ROUNDING * state.gnormMax);
  }

  /** X ← eigenvectors of the dense matrix, in place of the rest of the run */
  function solveDirectly(): Reason {
    const estimate = directEigenvectors(E, X, quadratic, target, normal);
    const { value, gnorm } = estimate.gnorm <= CERTAIN * goal ? estimate : measure();
    if (!Number.isFinite(value + gnorm)) return NOT_FINITE;
    advance(state, { X, f: value }, gnorm, 0);
    const text = `eigenvectors by a dense factorization (n = ${n}): gradient norm ${digits(gnorm)}`;
    return { kind: gnorm <= goal ? "gradient" : "rounding", converged: true, text };
  }

  /** f and ‖grad f‖ at X */
  function measure(): { value: number; gnorm: number } {
    const value = f.fg(G, X);
    dissolver(E, p).tangent(G, plainPoint(X));
    return { value, gnorm: Math.sqrt(E.dot(G, G)) };
  }

  /** X ← the wanted Ritz vectors; updates the state */
  function show({ theta, s }: KrylovPairs, value: number, gnorm: number): void {
    const size = theta.length;
    const columns = columnsOf(
      s,
      size,
      Array.from({ length: p }, (_, j) => target.place(j, size)),
    );
    target.multiplyByUt(columns);
    E.copy(G, X);
    space.multiply(X, columns);
    E.combine(G, -1, X, 1, G);
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(G, G)));
  }

  /** V ← [Ritz vectors at the ends, Q]; `random`: V ← [the wanted Ritz vectors, random vectors] */
  function restart(pairs: KrylovPairs, random: boolean): void {
    const size = pairs.theta.length;
    const whole = b * Math.floor(p / b);
    const [count, above] = random ? [whole, Math.min(target.high, whole)] : [keptColumns, high];
    const indices = Array.from({ length: count }, (_, j) => (j < count - above ? j : size - count + j));
    check.restart(pairs, indices, random, operator.own);
    space.restart(pairs, indices, random);
  }
}

/** Roundoff of products with B; the computed residuals of an invariant space are 0 and do not show it */
const roundingOf = ({ theta }: KrylovPairs): number => EPS * Math.max(Math.abs(theta[0]!), Math.abs(theta.at(-1)!));
