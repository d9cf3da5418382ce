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
import { krylovSpace } from "./space.js";

export interface KrylovOptions {
  /** the gradient norm at which the run will be stopped; default: 1e-6, relative to the first one where that is below 1 */
  tolerance?: number;
  seed?: number;
  evaluations?: Evaluations;
}

/** Estimates within the tolerance that are not confirmed, after which only rounding can be left */
const REJECTED = 6;
/** Part of the tolerance up to which the norm of one random combination of its columns bounds a gradient: that is not many times larger. */
const SURE = 0.1;
/** A gradient of this part of the largest one may be rounding. */
const ROUNDING = 1e-8;
/** Another way may take so many times what the run has taken: the rate of few spaces may deceive. */
const LONGEST = 6;

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
 * stay in V and are orthogonalized against, so that each product with B goes to the others. Whether any is missing then,
 * krylov/confirmation.ts finds out.
 *
 * Where a factorization of B − σI is at hand and the plan says that it pays, the spaces are those of (B − σI)⁻¹, σ
 * below the spectrum: there the wanted eigenvalues lie apart (Ericsson and Ruhe, Math. Comp. 35, 1980).
 */
export function* krylovExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Tall,
  { tolerance, seed = 1, evaluations = noEvaluations() }: KrylovOptions = {},
): Solver {
  const { n, p, quadratic } = f;
  const { C, constant = 0 } = quadratic;
  const wanted = pairing(E, p, C);
  const { normal } = random(seed, "krylov");
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  E.copy(X, X0);
  const first = measured();
  const state = newState({ X, f: first.value, evaluations }, first.gnorm);
  yield state;
  if (!Number.isFinite(state.f + state.gnorm)) return notFinite("f or its gradient is not finite at the start");
  const goal = tolerance ?? DEFAULT_TOLERANCE * Math.min(1, state.gnormMax);
  const plan = planOf(E, n, p, quadratic);
  const operator = krylovOperator(E, n, quadratic, plan, seed);
  const way = plan.way(operator.inverse);
  const probe = way === "direct" ? plan.probeColumns() : 0;
  if (way === "direct" && probe === 0) return direct();
  const { b, most, guard } = plan.sizes;
  const [low, high] = [wanted.low, wanted.high].map((count) => count + guard(count)) as [number, number];
  const kept = b * Math.ceil((low + high) / b);
  const space = krylovSpace(E, n, plan.sizes, normal);
  if (way === "inverse") invert();
  space.begin(X);
  const check = confirmation(wanted, [n, p, b], goal);
  const progress = progressBy((norms) => distance(wanted.columnNorms(norms), check.target / Math.sqrt(p)));
  const columnsToSolve = solveSchedule(b);
  /** columns until the next projected eigenproblem, and estimates that were not accepted */
  let [wait, rejected] = [0, 0];
  if (probe > 0 && !plan.promising(expectedAfter(probe))) return direct();
  for (;;) {
    const { pairs, gnorm } = grownSpace();
    if (!Number.isFinite(gnorm)) return NOT_FINITE;
    const mayMiss = check.mayMiss(pairs);
    const value = constant + wanted.value(pairs.theta);
    const { converged, random } = check.judge(pairs, gnorm, value, space.multiplied);
    show(pairs, value, Math.hypot(gnorm, mayMiss ? nextResidual(pairs) : 0, Math.sqrt(p) * roundingOf(pairs)));
    if (operator.notes && check.isComplete && state.gnorm <= goal && !isVerified()) {
      operator.revert();
      delete state.notes;
      beginAgain();
      continue;
    }
    // a state within the tolerance is shown when no vector is missing; rounding may prevent that
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
    const faster = converged || check.isInRound ? undefined : shorterWay(pairs);
    if (faster === "direct") return direct();
    if (faster === "inverse" && invert(pairs)) beginAgain();
    else restart(pairs, random);
  }

  /** From now on the spaces are those of (B − σI)⁻¹; false where no σ was found */
  function invert(known?: KrylovPairs): boolean {
    const isInverted = operator.invert(known);
    if (operator.notes) state.notes = operator.notes;
    return isInverted;
  }

  /** A first space from X, whatever was before */
  function beginAgain(): void {
    progress.restart(space.multiplied);
    check.reset();
    space.begin(X);
  }

  /** One space, until it is full or, where the plan solves early, all wanted pairs have converged */
  function grownSpace(): { pairs: KrylovPairs; gnorm: number } {
    const first = space.size + b;
    const earliest = check.isInRound ? FIRST_IN_ROUND : Math.max(wait, 1.3 * p - first);
    let next = plan.solvesEarly ? first + earliest : most;
    for (;;) {
      space.grow(operator.apply);
      const isFull = space.size + b > most;
      if (!isFull && space.size < next) continue;
      const pairs = operator.pairsOfB(space.ritzPairs());
      const gnorm = Math.hypot(...wanted.columnNorms(pairs.residual));
      const { size, multiplied } = space;
      wait = columnsToSolve({ size, multiplied, gnorm }, check.target, check.isInRound);
      if (isFull || !check.needsMore(pairs, gnorm, multiplied)) return { pairs, gnorm };
      next = size + wait;
    }
  }

  /** Columns that are left, as the first so many show */
  function expectedAfter(columns: number): number {
    while (space.size < columns) space.grow(operator.apply);
    return columnsExpected(space.ritzPairs(), wanted, check.target / Math.sqrt(p));
  }

  /** The way that is shorter than what is left at the rate of the last spaces, and not long beside what the run has taken */
  function shorterWay(pairs: KrylovPairs): "direct" | "inverse" | undefined {
    const left = operator.seconds(progress.columnsLeft(pairs, space.multiplied));
    return plan.wayBelow(Math.min(left, LONGEST * operator.seconds(space.multiplied)), operator.inverse);
  }

  /** Residual of the pair whose place a missed one would take */
  function nextResidual({ residual }: KrylovPairs): number {
    return residual.at(wanted.low > 0 ? wanted.low : -1 - wanted.high)!;
  }

  /**
   * X ← orthonormal columns of (B − σI)⁻¹X, whose residuals were estimated (`pairsOfB`), and f there. False where that is no minimum and
   * more than rounding is left: the declared matrix is not the one that `apply` multiplies with.
   */
  function isVerified(): boolean {
    operator.apply(G, X);
    orthonormalizer(E, n, p)(X, G);
    const { value, gnorm } = measured();
    state.f = value;
    state.gnorm = gnorm;
    return gnorm <= Math.max(goal, ROUNDING * state.gnormMax);
  }

  /** Eigenvectors of a dense matrix, in place of the rest of a run that would take longer */
  function direct(): Reason {
    const estimate = directEigenvectors(E, X, quadratic, wanted, normal);
    const { value, gnorm } = estimate.gnorm <= SURE * goal ? estimate : measured();
    if (!Number.isFinite(value + gnorm)) return NOT_FINITE;
    advance(state, { X, f: value }, gnorm, 0);
    const text = `eigenvectors by a dense factorization (n = ${n}): gradient norm ${digits(gnorm)}`;
    return { kind: gnorm <= goal ? "gradient" : "rounding", converged: true, text };
  }

  /** f and ‖grad f‖ at X */
  function measured(): { value: number; gnorm: number } {
    const value = f.fg(G, X);
    dissolver(E, p).tangent(G, plainPoint(X));
    return { value, gnorm: Math.sqrt(E.dot(G, G)) };
  }

  /** X ← the wanted Ritz vectors, and the state with it */
  function show({ theta, s }: KrylovPairs, value: number, gnorm: number): void {
    const size = theta.length;
    const columns = columnsOf(
      s,
      size,
      Array.from({ length: p }, (_, j) => wanted.place(j, size)),
    );
    wanted.turn(columns);
    E.copy(G, X);
    space.multiply(X, columns);
    E.combine(G, -1, X, 1, G);
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(G, G)));
  }

  /** V ← [Ritz vectors at the ends, Q]; `random`: the wanted ones alone, whose part in Q is small, and random vectors */
  function restart(pairs: KrylovPairs, random: boolean): void {
    const size = pairs.theta.length;
    const whole = b * Math.floor(p / b);
    const [count, above] = random ? [whole, Math.min(wanted.high, whole)] : [kept, high];
    const chosen = Array.from({ length: count }, (_, j) => (j < count - above ? j : size - count + j));
    check.restart(pairs, chosen, random, operator.notes?.sigma);
    space.restart(pairs, chosen, random);
  }
}

/** Rounding of products with B, which the residuals of an exhausted space, 0, do not show */
const roundingOf = ({ theta }: KrylovPairs): number => EPS * Math.max(Math.abs(theta[0]!), Math.abs(theta.at(-1)!));
