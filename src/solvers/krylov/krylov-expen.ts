import { EPS } from "../../arrays/scale.js";
import { dissolver } from "../../constraints/dissolver.js";
import { plainPoint } from "../../constraints/point.js";
import { orthonormalizer } from "../../linalg/qr.js";
import { digits } from "../../numbers.js";
import { noEvaluations } from "../../objective/objective.js";
import { random } from "../../random.js";
import type { Engine, Evaluations, Objective, QuadraticForm, Reason, Solver, Tall } from "../../types.js";
import { advance, DEFAULT_TOLERANCE, newState, notFinite, roundingFloor } from "../state.js";
import { confirmation } from "./confirmation.js";
import { directEigenvectors } from "./direct-eigenvectors.js";
import { columnsExpected, distance, FIRST_LOOK, looks, progressOf } from "./looks.js";
import { pairing } from "./pairing.js";
import { planOf } from "./plan.js";
import { columnsOf, type KrylovPairs } from "./projection.js";
import { endsSeen, extremesOf, type Inverse, inverseOf, pairsOfB, shiftedInverse } from "./shifted-inverse.js";
import { krylovSpace } from "./space.js";

export interface KrylovOptions {
  /** the gradient norm at which the run will be stopped; default: 1e-6, relative to the first one where that is below 1 */
  tolerance?: number;
  seed?: number;
  evaluations?: Evaluations;
}

/** Estimates below the tolerance that the run does not accept, after which only rounding can be left */
const FLAT = 6;
/** Another way may take so many times what the run has taken: the rate of few spaces may deceive. */
const LONGEST = 6;
/** The norm of a gradient is not many times that of one random combination of its columns. */
const SURE = 0.1;
/** A gradient of this part of the largest one may be what rounding leaves. */
const ROUNDING = 1e-8;

/**
 * For f(X) = ½⟨X, BXC⟩: the eigenvectors at the ends of the spectrum of B (krylov/pairing.ts) by Lanczos' method with
 * blocks and thick restarts (Wu and Simon 2000; Stewart's Krylov–Schur 2001). V spans a Krylov space; with
 * B·V = V·T + Q·R·[0, I] and T = SΘSᵀ,
 *
 *     ‖B·(Vs) − θ·Vs‖ = ‖R·s_last‖
 *
 * is the residual of a Ritz pair, so that f and the gradient norm are known without a product. When V is full, the
 * Ritz vectors at the ends and Q begin the next space, which is again a Krylov space. Vectors that have converged
 * stay in V and are orthogonalized against: each product with B goes to what is left. Whether anything is missing then, is the
 * question of krylov/confirmation.ts.
 *
 * Where a factorization of B − σI is at hand and the count says that it pays, the spaces are those of (B − σI)⁻¹, σ
 * below the spectrum: there the wanted eigenvalues stand apart (Ericsson and Ruhe, Math. Comp. 35, 1980).
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
  const asked = tolerance ?? DEFAULT_TOLERANCE * Math.min(1, state.gnormMax);
  let inverse: Inverse | undefined = C ? undefined : inverseOf(E, quadratic);
  /** Y ← what the spaces are made of times W: B, or −(B − σI)⁻¹ */
  let operate = quadratic.apply;
  let sigma: number | undefined;
  const plan = planOf(E, n, p, quadratic);
  let secondsOf = plan.products;
  const { b, most, guard } = plan.sizes;
  const way = plan.way(inverse);
  const tried = way === "direct" ? plan.probeColumns() : 0;
  if (way === "direct" && tried === 0) return direct();
  const [low, high] = [wanted.low, wanted.high].map((wanted) => wanted + guard(wanted)) as [number, number];
  const kept = b * Math.ceil((low + high) / b);
  const space = krylovSpace(E, n, plan.sizes, normal);
  if (way === "inverse") invert();
  space.begin(X);
  const confirmed = confirmation(wanted, [n, p, b], asked);
  const progress = progressOf((norms) => distance(wanted.columnNorms(norms), confirmed.target / Math.sqrt(p)));
  /** columns until Ritz values are looked at, and ends that were not accepted */
  let [wait, flat] = [0, 0];
  const nextLook = looks(b);
  if (tried > 0 && !plan.promising(expectedAfter(tried))) return direct();
  for (;;) {
    const { ritz, gnorm } = filled();
    if (!Number.isFinite(gnorm)) return notFinite("the operator gives numbers that are not finite");
    const unseen = confirmed.unseen(ritz);
    const value = constant + wanted.value(ritz.theta);
    const { converged, afresh } = confirmed.judge(ritz, gnorm, value, space.multiplied);
    const next = unseen ? ritz.residual.at(wanted.low > 0 ? wanted.low : -1 - wanted.high)! : 0;
    // of an exhausted space residuals are 0, and products with B still have rounding
    const rounding = EPS * Math.max(Math.abs(ritz.theta[0]!), Math.abs(ritz.theta.at(-1)!));
    show(ritz, value, Math.hypot(gnorm, next, Math.sqrt(p) * rounding));
    if (sigma !== undefined && confirmed.done && state.gnorm <= asked && !step()) {
      beginAgain();
      continue;
    }
    // what meets the tolerance is shown when it is known that nothing is missing from it; rounding may hide that
    if (state.gnorm > asked || confirmed.done) yield state;
    else if (!afresh && ++flat >= FLAT) {
      confirmed.settle(gnorm);
      flat = 0;
    }
    if (converged && confirmed.done) {
      if (++flat >= FLAT) return roundingFloor(state.gnorm);
      confirmed.tighten(gnorm);
    }
    // what random vectors bring takes no longer than the others took
    const faster = converged || confirmed.inRound ? undefined : shorterWay(ritz);
    if (faster === "direct") return direct();
    if (faster === "inverse" && invert(ritz)) beginAgain();
    else restart(ritz, afresh);
  }

  /** From now on the spaces are those of (B − σI)⁻¹, σ below what is known of the spectrum; false where no σ was found */
  function invert(known?: KrylovPairs): boolean {
    const tried = inverse;
    inverse = undefined;
    const made = tried && shiftedInverse(tried, known ? extremesOf(known) : endsSeen(E, n, quadratic, seed));
    if (!made) return false;
    secondsOf = (columns) => plan.solves(tried, columns);
    sigma = made.sigma;
    const notes = (state.notes = { sigma, solves: 0 });
    operate = (Y, W) => {
      notes.solves += W.cols;
      made.apply(Y, W);
    };
    return true;
  }

  /**
   * X ← orthonormal columns of (B − σI)⁻¹X, of which the residuals of Ritz pairs speak (krylov/projection.ts), and f
   * there. False where that is no minimum and more than rounding is missing: the matrix is not what `apply` multiplies
   * with, and the spaces are those of B from now on.
   */
  function step(): boolean {
    operate(G, X);
    orthonormalizer(E, n, p)(X, G);
    const { value, gnorm } = measured();
    state.f = value;
    state.gnorm = gnorm;
    if (gnorm <= Math.max(asked, ROUNDING * state.gnormMax)) return true;
    sigma = undefined;
    operate = quadratic.apply;
    secondsOf = plan.products;
    delete state.notes;
    return false;
  }

  /** A first space from X, whatever was before */
  function beginAgain(): void {
    progress.again(space.multiplied);
    confirmed.again();
    space.begin(X);
  }

  /** One space, until it is full or, where nothing else is asked, all that is wanted has converged */
  function filled(): { ritz: KrylovPairs; gnorm: number } {
    const first = space.size + b;
    let look = plan.solvesEarly ? first + (confirmed.inRound ? FIRST_LOOK : Math.max(wait, 1.3 * p - first)) : most;
    for (;;) {
      space.grow(operate);
      const full = space.size + b > most;
      if (full || space.size >= look) {
        const own = space.ritzPairs();
        const ritz = sigma === undefined ? own : pairsOfB(own, sigma);
        const gnorm = Math.hypot(...wanted.columnNorms(ritz.residual));
        wait = nextLook(space.size, space.multiplied, gnorm, confirmed.target, confirmed.inRound);
        if (full || !confirmed.unfinished(ritz, gnorm, space.multiplied)) return { ritz, gnorm };
        look = space.size + wait;
      }
    }
  }

  /** Columns that are left by what the first so many show */
  function expectedAfter(columns: number): number {
    while (space.size < columns) space.grow(operate);
    return columnsExpected(space.ritzPairs(), wanted, confirmed.target / Math.sqrt(p));
  }

  /** The way that is shorter than what is left at the rate of the last spaces, and not long beside what the run has taken */
  function shorterWay(ritz: KrylovPairs): "direct" | "inverse" | undefined {
    const left = secondsOf(progress.left(ritz, space.multiplied));
    return plan.wayBelow(Math.min(left, LONGEST * secondsOf(space.multiplied)), inverse);
  }

  /** Eigenvectors of a dense matrix, in place of the rest of a run that would take longer */
  function direct(): Reason {
    const found = directEigenvectors(E, X, quadratic, wanted, normal);
    const { value, gnorm } = found.gnorm <= SURE * asked ? found : measured();
    if (!Number.isFinite(value + gnorm)) return notFinite("the operator gives numbers that are not finite");
    advance(state, { X, f: value }, gnorm, 0);
    const text = `eigenvectors by a dense factorization (n = ${n}): gradient norm ${digits(gnorm)}`;
    return { kind: gnorm <= asked ? "gradient" : "rounding", converged: true, text };
  }

  /** f and ‖grad f‖ at X */
  function measured(): { value: number; gnorm: number } {
    const value = f.fg(G, X);
    dissolver(E, p).tangent(G, plainPoint(X));
    return { value, gnorm: Math.sqrt(E.dot(G, G)) };
  }

  /** X ← the wanted vectors, and the state with it */
  function show({ theta, s }: KrylovPairs, value: number, gnorm: number): void {
    const size = theta.length;
    const chosen = Array.from({ length: p }, (_, j) => wanted.place(j, size));
    const columns = columnsOf(s, size, chosen);
    wanted.turn(columns);
    E.copy(G, X);
    space.times(X, columns);
    E.combine(G, -1, X, 1, G);
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(G, G)));
  }

  /** V ← [Ritz vectors at the ends, Q]; `afresh`: the wanted ones alone, whose part in Q is small, and random vectors */
  function restart(ritz: KrylovPairs, afresh: boolean): void {
    const size = ritz.theta.length;
    const [count, above] = afresh
      ? [b * Math.floor(p / b), Math.min(wanted.high, b * Math.floor(p / b))]
      : [kept, high];
    const chosen = Array.from({ length: count }, (_, j) => (j < count - above ? j : size - count + j));
    confirmed.begin(ritz, chosen, afresh, sigma);
    space.keep(ritz, chosen, afresh);
  }
}
