import type { Constraint, Objective, QuadraticForm, Solver } from "@expen/core";
import { evaluatorOf, plainPoint, roundingOf } from "@expen/core";
import { type DissolvedOptions, dissolvedExpen } from "@expen/core/expen";
import { roundingFloor } from "@expen/core/methods";
import type { Engine, Operator, Small, Tall } from "@expen/linalg";
import { denseOf, leftDivided, reduceToStandard } from "@expen/linalg/dense";
import { eigenvectorsAt, formNumbers } from "./krylov/direct-eigenvectors.js";
import { pairing } from "./krylov/pairing.js";

/** Assumed steps of an iterative run, each with a product with A and one with a dense B: all eigenvectors are dense, whatever B is. */
const STEPS = 400;
/** Flops over n³ of the closed form: Cholesky, two triangular divisions, eigenvectors, and back-substitution */
const FLOPS = 25;
/** Largest n with LAPACK, by memory and by the time that no signal can interrupt */
const LARGEST = 3000;
/** The same without LAPACK */
const LARGEST_PLAIN = 700;

/** Whether a dense eigenproblem costs no more than iterations may, for f = ½⟨X, AXC⟩ with XᵀBX = I, B declared as a matrix */
export function denseSolveIsCheaper(E: Engine, { n, p, quadratic }: Objective): boolean {
  if (!quadratic || quadratic.L || E.ranks) return false;
  if (n > (E.factor.library ? LARGEST : LARGEST_PLAIN)) return false;
  const { flops = 2 * n * n } = quadratic;
  return STEPS * p * (flops + 2 * n * n) >= FLOPS * n ** 3;
}

/** Part of ‖∇f‖ below which a gradient is roundoff */
const FLOOR = 1e-11;

/** Bound of the roundoff in the gradient G − BX·S at X: FLOOR·‖∇f‖, and ε‖B‖‖X‖‖S‖ */
function floorAt(E: Engine, on: Constraint, X: Tall, G: Tall): number {
  const { p } = on.shape;
  const S = E.small(p, p);
  on.dissolver.S(S, plainPoint(X), G);
  const product = roundingOf(E, on, { X }) * Math.sqrt(E.dot(S, S) / E.dot(X, X));
  return Math.max(FLOOR * Math.sqrt(E.dot(G, G)), product);
}

/**
 * The minimiser in closed form, followed by steps of ExPen if its gradient is above the tolerance: the method of subspace/subspace.ts
 * with ℝⁿ as the subspace. With B = RᵀR and Z = RX,
 *
 *     min ½⟨Z, (R⁻ᵀAR⁻¹)·Z·C⟩,   ZᵀZ = I.
 *
 * The first state is this minimiser; ‖∇f‖ there is the scale of gradients. Memory: five n×n matrices until the steps begin.
 */
export function* wholeSpaceExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Tall,
  o: DissolvedOptions & { on: Constraint },
): Solver {
  const X = E.tall(f.n, f.p);
  const closed = closedForm(E, X, f.quadratic, o.on);
  const F = evaluatorOf(E, f);
  const start = F.start(closed ? X : X0);
  const scale = Math.sqrt(E.dot(start.G, start.G));
  const floor = closed ? floorAt(E, o.on, X, start.G) : 0;
  F.forget();
  const steps = dissolvedExpen(E, F, start.X, { ...o, start });
  const first = steps.next();
  if (first.done) return first.value;
  const state = first.value;
  if (scale > state.gnormMax) state.gnormMax = scale;
  yield state;
  if (state.gnorm <= floor) return roundingFloor(state.gnorm);
  return yield* steps;
}

/** X ← the minimiser; false if B has no Cholesky factor or R⁻ᵀAR⁻¹ is not finite */
function closedForm(E: Engine, X: Tall, form: QuadraticForm, on: Constraint): boolean {
  const { rows: n, cols: p } = X;
  const a = formNumbers(E, form, n);
  const { factor, operator } = on.traits.metric!;
  const R = factor?.dense ?? factorOf(E, n, operator!);
  const M = E.small(n, n, a);
  // NaN if an entry is not finite
  if (!R || !Number.isFinite(E.dot(M, M))) return false;
  reduceToStandard(E, M, R);
  const { x: z } = eigenvectorsAt(E, E.read(M), n, pairing(E, p, form.C), p);
  E.write(X, leftDivided(E, R, z, p));
  return true;
}

/** R of B = RᵀR, B given by its action */
function factorOf(E: Engine, n: number, B: Operator): Small | undefined {
  const R = E.small(
    n,
    n,
    denseOf(E, (Y, X) => B.apply(Y, X), n, n),
  );
  return E.factor.cholesky(R, R) ? R : undefined;
}
