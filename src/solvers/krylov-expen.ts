import { stiefelConstraint } from "../constraints/stiefel.js";
import { orthonormalizer } from "../linalg/qr.js";
import { digits } from "../numbers.js";
import { noEvaluations } from "../objective.js";
import { random } from "../random.js";
import type { Engine, Evaluations, Objective, QuadraticForm, Reason, Solver, Tall } from "../types.js";
import { directEigenvectors } from "./direct-eigenvectors.js";
import { krylovBasis } from "./krylov-basis.js";
import { wantedEnds } from "./krylov-ends.js";
import { directCost, krylovSizes, productCost, wayOf } from "./krylov-plan.js";
import { projection, type Ritz } from "./krylov-projection.js";
import { advance, newState, notFinite, roundingFloor } from "./state.js";

export interface KrylovOptions {
  /** the gradient norm at which the run will be stopped; default: 1e-6, relative to the first one where that is below 1 */
  tolerance?: number;
  seed?: number;
  evaluations?: Evaluations;
}

const DEFAULT_TOLERANCE = 1e-6;
/** Estimates below the tolerance that the run does not accept, after which only rounding can be left */
const FLAT = 6;
/** Spaces of which the rate of convergence is taken */
const SPACES = 6;

/**
 * For f(X) = ½⟨X, BXC⟩: the eigenvectors at the ends of the spectrum of B (krylov-ends.ts) by Lanczos' method with
 * blocks and thick restarts (Wu and Simon 2000; Stewart's Krylov–Schur 2001). V spans a Krylov space; with
 * B·V = V·T + Q·R·[0, I] and T = SΘSᵀ,
 *
 *     ‖B·(Vs) − θ·Vs‖ = ‖R·s_last‖
 *
 * is the residual of a Ritz pair, so that f and the gradient norm are known without a product. When V is full, the
 * Ritz vectors at the ends and Q begin the next space, which is again a Krylov space. Vectors that have converged
 * stay in V and are orthogonalized against: each product with B goes to what is left. Of an eigenvalue that stands
 * more often than a block has columns a Krylov space misses vectors; so when all have converged, random vectors begin
 * one more space, and only if the wanted ones stay the same is that the answer.
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
  const { b, most, panel, early, guard } = krylovSizes(E, n, p, quadratic);
  const [low, high] = [ends.low, ends.high].map((wanted) => wanted + guard(wanted)) as [number, number];
  const kept = b * Math.ceil((low + high) / b);
  const basis = krylovBasis(E, n, b, most, kept, panel);
  const T = projection(E, most, b);
  const [X, BX, G, W, Y] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, b), E.tall(n, b)];
  const { normal } = random(seed, "krylov");
  const [h, r] = [new Float64Array(most * b), new Float64Array(b * b)];

  E.copy(X, X0);
  const first = measured();
  const state = newState({ X, f: first.value, evaluations }, first.gnorm);
  yield state;
  if (!Number.isFinite(state.f + state.gnorm)) return notFinite("f or its gradient is not finite at the start");
  const asked = tolerance ?? DEFAULT_TOLERANCE * Math.min(1, state.gnormMax);
  if (wayOf(E, n, p, quadratic) === "direct") return direct();

  firstBlock();
  // half of what is asked: the rest is for what a restart with random vectors leaves out
  let target = asked / 2;
  /** of one column every vector of the lowest eigenvalue is as good */
  let proof: "none" | "begun" | "done" = p <= b ? "done" : "none";
  let slack = { below: 0, above: 0 };
  const norms: number[] = [];
  let flat = 0;
  for (;;) {
    const { ritz, gnorm } = filled();
    if (!Number.isFinite(gnorm)) return notFinite("the operator gives numbers that are not finite");
    const converged = gnorm <= target;
    // the next ones have settled away from the wanted ones: ten residuals do not reach there
    const open = proof === "begun" ? next(ritz).filter((q) => q.residual > Math.max(q.distance / 10, asked)) : [];
    if (proof === "begun" && converged && open.length === 0) proof = "done";
    const afresh = converged && proof === "none";
    if (afresh) [proof, target, slack] = ["begun", 0.8 * asked, distances(ritz)];
    // until then they count as if they were wanted
    show(ritz, Math.hypot(gnorm, ...open.map((q) => q.residual)));
    // what meets the tolerance is shown when nothing is missing from it
    if (!afresh && (gnorm > asked || proof !== "none")) yield state;
    if (converged && proof === "done") {
      if (++flat >= FLAT) return roundingFloor(gnorm);
      target = gnorm / 2;
    }
    if (!converged && tooSlow(norms.push(gnorm))) return direct();
    restart(ritz, afresh);
  }

  /** One space, until it is full or, where nothing else is asked, all that is wanted has converged */
  function filled(): { ritz: Ritz; gnorm: number } {
    let look = proof === "begun" || !early ? most : Math.max(1.3 * p, kept, 1.1 * basis.size);
    for (;;) {
      quadratic.apply(Y, W);
      basis.split(W, h, r, Y);
      T.setLast(h, basis.size);
      const full = basis.size + b > most;
      if (full || basis.size >= look) {
        look = 1.15 * basis.size;
        const ritz = T.ritz(basis.size, r);
        const gnorm = gradientNorm(ritz);
        if (full || !(gnorm > target)) return { ritz, gnorm };
      }
      basis.append(W);
    }
  }

  /** A tenth of the distance from the last wanted Ritz value to the last kept one: there may be no gap at all */
  function distances({ theta }: Ritz): { below: number; above: number } {
    const last = theta.length - 1;
    return {
      below: 0.1 * (theta[low]! - theta[ends.low - 1]!),
      above: 0.1 * (theta[last - ends.high + 1]! - theta[last - high]!),
    };
  }

  /** The next Ritz values after the wanted ones, with their distance from these */
  function next({ theta, residual }: Ritz): { distance: number; residual: number }[] {
    const last = theta.length - 1;
    const found: { distance: number; residual: number }[] = [];
    for (let i = 0; i < b; i++) {
      const [l, u] = [ends.low + i, last - ends.high - i];
      if (ends.low > 0)
        found.push({ distance: theta[l]! - theta[ends.low - 1]! + slack.below, residual: residual[l]! });
      if (ends.high > 0)
        found.push({ distance: theta[last - ends.high + 1]! - theta[u]! + slack.above, residual: residual[u]! });
    }
    return found;
  }

  /** At the rate of the last spaces the rest would take longer than a factorization. */
  function tooSlow(count: number): boolean {
    if (count <= SPACES) return false;
    const rate = Math.log(norms[count - 1 - SPACES]! / norms[count - 1]!) / SPACES;
    const left = rate > 0 ? Math.log(norms[count - 1]! / target) / rate : Number.POSITIVE_INFINITY;
    return left * (most - kept) * productCost(E, n, p, quadratic) > directCost(E, n, quadratic);
  }

  /** All eigenvectors, in place of the rest of a run that would take longer */
  function direct(): Reason {
    directEigenvectors(E, X, quadratic, ends);
    const { value, gnorm } = measured();
    if (!Number.isFinite(value + gnorm)) return notFinite("the operator gives numbers that are not finite");
    advance(state, { X, f: value }, gnorm, 0);
    const text = `all eigenvectors by a dense factorization (n = ${n}): gradient norm ${digits(gnorm)}`;
    return { kind: gnorm <= asked ? "gradient" : "rounding", converged: true, text };
  }

  /** f and ‖grad f‖ at X by a product */
  function measured(): { value: number; gnorm: number } {
    quadratic.apply(BX, X);
    if (C) E.mul(G, BX, C);
    else E.copy(G, BX);
    const value = constant + 0.5 * E.dot(X, G);
    stiefelConstraint(E, n, p).tangent(G, X);
    return { value, gnorm: Math.sqrt(E.dot(G, G)) };
  }

  /** V ← b random combinations of the columns of X */
  function firstBlock(): void {
    E.mul(Y, X, E.small(p, b, Float64Array.from({ length: p * b }, normal)));
    orthonormalizer(E, n, b)(W, Y);
    basis.append(W);
  }

  /** At X = ZUᵀ with BZ = ZΛ + R the gradient of f is RΓUᵀ. */
  function gradientNorm({ theta, residual }: Ritz): number {
    let sum = 0;
    for (let j = 0; j < p; j++) sum += (ends.gamma[j]! * residual[ends.place(j, theta.length)]!) ** 2;
    return Math.sqrt(sum);
  }

  /** X ← the wanted vectors, and the state with it */
  function show({ theta, s }: Ritz, gnorm: number): void {
    const size = theta.length;
    const columns = new Float64Array(size * p);
    let value = constant;
    for (let j = 0; j < p; j++) {
      const from = ends.place(j, size);
      value += 0.5 * ends.gamma[j]! * theta[from]!;
      for (let i = 0; i < size; i++) columns[i * p + j] = s[i * size + from]!;
    }
    ends.turn(columns);
    E.copy(G, X);
    basis.times(X, columns);
    E.combine(G, -1, X, 1, G);
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(G, G)));
  }

  /** V ← [Ritz vectors at the ends, Q]; `afresh`: the wanted ones alone, whose part in Q is small, and random vectors */
  function restart({ theta, s }: Ritz, afresh: boolean): void {
    const size = theta.length;
    const [count, above] = afresh ? [b * Math.floor(p / b), Math.min(ends.high, b * Math.floor(p / b))] : [kept, high];
    const columns = new Float64Array(size * count);
    const chosen = Array.from({ length: count }, (_, j) => (j < count - above ? j : size - count + j));
    for (const [j, from] of chosen.entries()) {
      for (let i = 0; i < size; i++) columns[i * count + j] = s[i * size + from]!;
    }
    basis.rotate(columns, count);
    T.setDiagonal(chosen.map((from) => theta[from]!));
    if (afresh) {
      E.write(Y, normal);
      basis.split(W, h, r, Y);
    }
    basis.append(W);
  }
}
