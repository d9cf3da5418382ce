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
import { wantedEnds } from "./ends.js";
import { columnsExpected, distance, FIRST_LOOK, looks, progressOf } from "./looks.js";
import {
  krylovSizes,
  PATIENCE,
  probeColumns,
  productsCost,
  promising,
  solvesCost,
  type Way,
  wayBelow,
  wayOf,
} from "./plan.js";
import { columnsOf, endsOf, ofInverse, type Ritz } from "./projection.js";
import { endsSeen, type Inverse, inverseOf, shiftedInverse } from "./shifted-inverse.js";
import { krylovSpace } from "./space.js";

export interface KrylovOptions {
  /** the gradient norm at which the run will be stopped; default: 1e-6, relative to the first one where that is below 1 */
  tolerance?: number;
  seed?: number;
  evaluations?: Evaluations;
}

/** Estimates below the tolerance that the run does not accept, after which only rounding can be left */
const FLAT = 6;
/** The norm of a gradient is not many times that of one random combination of its columns. */
const SURE = 0.1;
/** A gradient of this part of the largest one may be what rounding leaves. */
const ROUNDING = 1e-8;

/**
 * For f(X) = ½⟨X, BXC⟩: the eigenvectors at the ends of the spectrum of B (krylov/ends.ts) by Lanczos' method with
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
  const ends = wantedEnds(E, p, C);
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
  const productsOfB = (count: number): number => productsCost(E, n, p, quadratic, count);
  let costOf = productsOfB;
  const sizes = krylovSizes(E, n, p, quadratic);
  const { b, most, early, guard } = sizes;
  const way = wayOf(E, n, p, quadratic, inverse);
  const tried = way === "direct" ? probeColumns(E, n, p, quadratic) : 0;
  if (way === "direct" && tried === 0) return direct();
  const [low, high] = [ends.low, ends.high].map((wanted) => wanted + guard(wanted)) as [number, number];
  const kept = b * Math.ceil((low + high) / b);
  const space = krylovSpace(E, n, sizes, normal);
  if (way === "inverse") invert();
  space.begin(X);
  const confirmed = confirmation(ends, [n, p, b], asked);
  const progress = progressOf((norms) => distance(ends.columnNorms(norms), confirmed.target / Math.sqrt(p)));
  /** columns until Ritz values are looked at, and ends that were not accepted */
  let [wait, flat] = [0, 0];
  const nextLook = looks(b);
  if (tried > 0 && !promising(E, n, p, quadratic, expectedAfter(tried))) return direct();
  for (;;) {
    const { ritz, gnorm } = filled();
    if (!Number.isFinite(gnorm)) return notFinite("the operator gives numbers that are not finite");
    const unseen = confirmed.unseen(ritz);
    const value = constant + ends.value(ritz.theta);
    const { converged, afresh } = confirmed.judge(ritz, gnorm, value, space.multiplied);
    const next = unseen ? ritz.residual.at(ends.low > 0 ? ends.low : -1 - ends.high)! : 0;
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
  function invert(known?: Ritz): boolean {
    const tried = inverse;
    inverse = undefined;
    const made = tried && shiftedInverse(tried, known ? endsOf(known) : endsSeen(E, n, quadratic, seed));
    if (!made) return false;
    costOf = (count) => solvesCost(E, n, p, quadratic, tried, count);
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
    costOf = productsOfB;
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
  function filled(): { ritz: Ritz; gnorm: number } {
    const first = space.size + b;
    let look = early ? first + (confirmed.inRound ? FIRST_LOOK : Math.max(wait, 1.3 * p - first)) : most;
    for (;;) {
      space.grow(operate);
      const full = space.size + b > most;
      if (full || space.size >= look) {
        const own = space.ritz();
        const ritz = sigma === undefined ? own : ofInverse(own, sigma);
        const gnorm = Math.hypot(...ends.columnNorms(ritz.residual));
        wait = nextLook(space.size, space.multiplied, gnorm, confirmed.target, confirmed.inRound);
        if (full || !confirmed.unfinished(ritz, gnorm, space.multiplied)) return { ritz, gnorm };
        look = space.size + wait;
      }
    }
  }

  /** Columns that are left by what the first so many show */
  function expectedAfter(columns: number): number {
    while (space.size < columns) space.grow(operate);
    return columnsExpected(space.ritz(), ends, confirmed.target / Math.sqrt(p));
  }

  /** The way that is shorter than what is left at the rate of the last spaces, and not long beside what the run has taken */
  function shorterWay(ritz: Ritz): Way | undefined {
    const least = Math.min(costOf(progress.left(ritz, space.multiplied)), PATIENCE * costOf(space.multiplied));
    return wayBelow(least, E, n, p, quadratic, inverse);
  }

  /** Eigenvectors of a dense matrix, in place of the rest of a run that would take longer */
  function direct(): Reason {
    const found = directEigenvectors(E, X, quadratic, ends, normal);
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
  function show({ theta, s }: Ritz, value: number, gnorm: number): void {
    const size = theta.length;
    const chosen = Array.from({ length: p }, (_, j) => ends.place(j, size));
    const columns = columnsOf(s, size, chosen);
    ends.turn(columns);
    E.copy(G, X);
    space.times(X, columns);
    E.combine(G, -1, X, 1, G);
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(G, G)));
  }

  /** V ← [Ritz vectors at the ends, Q]; `afresh`: the wanted ones alone, whose part in Q is small, and random vectors */
  function restart(ritz: Ritz, afresh: boolean): void {
    const size = ritz.theta.length;
    const [count, above] = afresh ? [b * Math.floor(p / b), Math.min(ends.high, b * Math.floor(p / b))] : [kept, high];
    const chosen = Array.from({ length: count }, (_, j) => (j < count - above ? j : size - count + j));
    confirmed.begin(ritz, chosen, afresh, sigma);
    space.keep(ritz, chosen, afresh);
  }
}
