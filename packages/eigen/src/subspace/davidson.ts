import type { Evaluations, Objective, Precondition, QuadraticForm, Solver } from "@expen/core";
import { noEvaluations } from "@expen/core";
import { advance, DEFAULT_TOLERANCE, newState, notFinite, roundingFloor } from "@expen/core/methods";
import type { Engine, Small, Tall } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { type Orthonormalizer, orthonormalizer } from "@expen/linalg/dense";
import type { Part } from "@expen/linalg/memory";
import { projection, type RitzPairs } from "../krylov/projection.js";
import { MOST_PASSES, PANEL_COLUMNS, panels } from "./panels.js";
import { previousVectors } from "./previous-vectors.js";

export interface DavidsonOptions {
  /** Z ← P·G, P ≈ (∇²f)⁻¹, for the gradient at X */
  precondition: Precondition;
  /** gradient norm at which the run stops; default: 1e-6, relative to the first gradient norm if that is below 1 */
  tolerance?: number;
  evaluations?: Evaluations;
}

/** Most columns of the space: max(TIMES·p, p + MORE) */
const [TIMES, MORE] = [5, 20];
/** Part of the space beyond the wanted vectors that a restart keeps */
const RESTART_SHARE = 0.25;
/** Number of sizes in which the projected problem is solved: each has small matrices of its own. */
const SIZES = 8;
/** Consecutive steps without decrease of f or of the gradient that are taken as the rounding floor */
const STALLED = 10;
/** ‖Vᵀq‖² per column q up to which a block is orthogonal to V to rounding */
const ORTHOGONAL = (100 * EPS) ** 2;

const NOT_FINITE = notFinite("the operator gives numbers that are not finite");

/** Most columns of the space, columns kept by a restart, and columns of a panel */
export function davidsonSizes(n: number, p: number): { most: number; restart: number; panel: number } {
  const most = Math.min(n, Math.max(TIMES * p, p + MORE));
  return { most, restart: p + Math.floor(RESTART_SHARE * (most - p)), panel: Math.min(PANEL_COLUMNS, most) };
}

/**
 * For f(X) = ½⟨X, BX⟩ with a preconditioner P: the lowest eigenvectors by Davidson's method with blocks. V spans a space, X are its p
 * lowest Ritz vectors, R = BX − XΘ is the gradient at X, and the columns of P·R whose residuals have not converged are appended to V: one
 * product with B each. When V is full, the lowest Ritz vectors are kept, and those of the step before, with which a restart hardly slows
 * convergence (GD+k, Stathopoulos and Saad 1998). With P = I, V is a Krylov space.
 */
export function* davidsonExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Tall,
  { precondition, tolerance, evaluations = noEvaluations() }: DavidsonOptions,
): Solver {
  const { n, p, quadratic } = f;
  const { constant = 0, apply } = quadratic;
  const { most, restart, panel } = davidsonSizes(n, p);
  const [V, BV] = [panels(E, n, panel), panels(E, n, panel)];
  const T = projection(E, most, Math.ceil(most / SIZES));
  const previous = previousVectors(p);
  const [X, R, Z] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const [theta, S] = [E.small(p, p), E.small(p, p)];
  const numbers = new Float64Array(p * p);
  const blocks = blocksOf(E, n, p);
  /** least gradient norm so far, and consecutive steps without decrease */
  let [best, stalled] = [Number.POSITIVE_INFINITY, 0];

  const first = blocks.of(p);
  E.copy(X, X0);
  E.copy(first.Y, X0);
  if (!append(first)) {
    yield newState({ X, f: Number.NaN, evaluations }, Number.NaN);
    return NOT_FINITE;
  }
  let { pairs, value, norms, gnorm, rounding } = ritz();
  const state = newState({ X, f: value, evaluations }, gnorm);
  let target = tolerance ?? DEFAULT_TOLERANCE * Math.min(1, gnorm);
  for (;;) {
    yield state;
    if (stalled >= STALLED) return roundingFloor(gnorm);
    // the driver asked for another step, thus its tolerance is smaller
    if (gnorm <= target) target = gnorm / 2;
    precondition(Z, X, R);
    const block = blocks.of(norms.filter((norm) => norm > target / (2 * Math.sqrt(p))).length);
    E.mul(block.Y, Z, block.selectLargest(norms));
    if (V.size + block.cols > most) {
      const { s, k } = previous.restart(T, pairs, restart);
      V.rotate(s, k);
      BV.rotate(s, k);
    }
    if (!append(block)) return NOT_FINITE;
    const before = { value, best };
    ({ pairs, value, norms, gnorm, rounding } = ritz());
    best = Math.min(best, gnorm);
    stalled = before.value - value <= rounding && gnorm > 0.5 * before.best ? stalled + 1 : 0;
    advance(state, { X, f: value }, gnorm, previous.distance());
  }

  /** V ← [V, Q] for an orthonormal basis Q of Y off V, with BQ, and T; false if BQ is not finite */
  function append({ Y, Q, BQ, orthonormalize, cols }: Block): boolean {
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      V.projectOut(Y);
      orthonormalize(Q, Y);
      E.copy(Y, Q);
      if (V.projectOut(Y) <= cols * ORTHOGONAL) break;
    }
    apply(BQ, Q);
    if (!Number.isFinite(E.dot(BQ, BQ))) return false;
    V.append(Q);
    BV.append(BQ);
    const h = new Float64Array(V.size * cols);
    V.contract(h, BQ);
    T.extend(h, cols);
    return true;
  }

  /** X ← the lowest Ritz vectors, R ← BX − XΘ; f there, and the norms of the columns of R */
  function ritz(): { pairs: RitzPairs; value: number; norms: Float64Array; gnorm: number; rounding: number } {
    const pairs = T.ritzPairs();
    const s = previous.advance(pairs);
    const values = pairs.theta.subarray(0, p);
    V.multiply(X, s);
    BV.multiply(R, s);
    numbers.fill(0);
    for (let j = 0; j < p; j++) numbers[j * (p + 1)] = values[j]!;
    E.write(theta, numbers);
    E.mul(R, X, theta, -1, 1);
    E.gram(S, R);
    E.read(S, numbers);
    const norms = Float64Array.from({ length: p }, (_, j) => Math.sqrt(numbers[j * (p + 1)]!));
    const largest = Math.max(Math.abs(pairs.theta[0]!), Math.abs(pairs.theta.at(-1)!));
    const sum = values.reduce((total, one) => total + one, 0);
    return { pairs, value: constant + 0.5 * sum, norms, gnorm: Math.hypot(...norms), rounding: 4 * EPS * p * largest };
  }
}

/** Memory of a run: V and BV, with the scratch of restarts; X, R, Z, and blocks of p, p/2, … columns; T in several sizes */
export function davidsonParts(n: number, p: number): Part[] {
  const { most, restart: retain, panel } = davidsonSizes(n, p);
  const columns = (count: number): number => panel * Math.ceil(count / panel);
  return [
    { count: 2 * (columns(most) + columns(retain + p)), rows: n, cols: 1 },
    { count: 12, rows: n, cols: p, plain: 1 },
    { count: 11, rows: most, cols: most, plain: 3 },
  ];
}

interface Block {
  readonly cols: number;
  readonly Y: Tall;
  readonly Q: Tall;
  readonly BQ: Tall;
  readonly orthonormalize: Orthonormalizer;
  /** The p×cols matrix that selects the columns with the largest norms */
  selectLargest(norms: Float64Array): Small;
}

/** Blocks of p, p/2, p/4, … columns, allocated on demand: together they take at most twice the memory of the widest. */
function blocksOf(E: Engine, n: number, p: number): { of(count: number): Block } {
  const blocks = new Map<number, Block>();

  function block(cols: number): Block {
    const [Y, Q, coefficients] = [E.tall(n, cols), E.tall(n, cols), E.small(p, cols)];
    return {
      cols,
      Y,
      Q,
      BQ: E.tall(n, cols),
      orthonormalize: orthonormalizer(E, n, cols),
      selectLargest(norms) {
        const order = Array.from(norms.keys()).sort((i, j) => norms[j]! - norms[i]!);
        const numbers = new Float64Array(p * cols);
        for (let j = 0; j < cols; j++) numbers[order[j]! * cols + j] = 1;
        E.write(coefficients, numbers);
        return coefficients;
      },
    };
  }

  return {
    /** The narrowest block with at least `count` columns */
    of(count) {
      let cols = p;
      while (Math.ceil(cols / 2) >= Math.max(count, 1) && cols > 1) cols = Math.ceil(cols / 2);
      let one = blocks.get(cols);
      if (!one) blocks.set(cols, (one = block(cols)));
      return one;
    },
  };
}
