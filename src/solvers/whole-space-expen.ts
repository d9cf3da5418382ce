import type { Constraint } from "../constraints/constraint.js";
import { numbersOf } from "../engines/own-matrix.js";
import type { Engine, Objective, Operator, QuadraticForm, Solver, Tall } from "../types.js";
import { type DissolvedOptions, dissolvedExpen } from "./dissolved-expen.js";
import { byEigenvalues } from "./subspace-problem.js";

/** A run takes no fewer steps than these, each with a product with A and one with B. (Measured: 450 to 1,800 evaluations.) */
const STEPS = 400;
/** n×n: Cholesky, two divisions, eigenvectors, and the way back, in n³ flops */
const FLOPS = 25;
/** Largest n, by memory and by the time in which nothing can be stopped; without machine code for eigenvalues */
const LARGEST = 3000;
const LARGEST_PLAIN = 700;

/** f = ½⟨X, AXC⟩ with XᵀBX = I, B a matrix at hand: whether the eigenvalues of n×n matrices cost less than steps. */
export function wholeSpacePays(E: Engine, { n, p, quadratic }: Objective, B: Operator): boolean {
  if (!quadratic || quadratic.L || E.ranks) return false;
  if (n > (E.factor.library ? LARGEST : LARGEST_PLAIN)) return false;
  const { flops = 2 * n * n } = quadratic;
  return STEPS * p * (flops + B.flops) >= FLOPS * n ** 3;
}

/**
 * The minimiser in the whole space, in closed form, and steps of ExPen from there, if its gradient is not yet below the tolerance: what
 * subspace-expen.ts does with a subspace, with all of ℝⁿ. With B = RᵀR and Z = RX,
 *
 *     min ½⟨Z, (R⁻ᵀAR⁻¹)·Z·C⟩,   ZᵀZ = I.
 *
 * Holds some seven n×n matrices until the steps begin.
 */
export function* wholeSpaceExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Tall,
  B: Operator,
  o: DissolvedOptions & { on: Constraint },
): Solver {
  const X = E.tall(f.n, f.p);
  return yield* dissolvedExpen(E, f, closedForm(E, X, f.quadratic, B) ? X : X0, o);
}

/** X ← the minimiser; false where B has no Cholesky factor or numbers are not finite */
function closedForm(E: Engine, X: Tall, { apply, matrix, C }: QuadraticForm, B: Operator): boolean {
  const { rows: n, cols: p } = X;
  const numbers = new Float64Array(n * n);
  const [I, Y] = [E.tall(n, n, identity(n)), E.tall(n, n)];
  const [R, M] = [E.small(n, n), E.small(n, n)];
  B.apply(Y, I);
  E.write(M, E.read(Y, numbers));
  if (!E.factor.cholesky(R, M)) return false;
  if (matrix && "data" in matrix) numbers.set(numbersOf(E, matrix));
  else {
    apply(Y, I);
    E.read(Y, numbers);
  }
  E.write(M, numbers);
  if (!numbers.every(Number.isFinite)) return false;
  // A·R⁻¹, its transpose R⁻ᵀ·A, and R⁻ᵀ·A·R⁻¹
  E.factor.divide(M, R);
  E.write(M, transposed(E.read(M, numbers), n));
  E.factor.divide(M, R);
  E.symmetrize(M);
  const [Z, small] = [E.small(n, p), E.small(n, p)];
  byEigenvalues(E, M, C, p)(Z, 0, 0);
  E.factor.solve(small, R, Z);
  E.write(X, E.read(small));
  return true;
}

function identity(n: number): Float64Array {
  const numbers = new Float64Array(n * n);
  for (let at = 0; at < n * n; at += n + 1) numbers[at] = 1;
  return numbers;
}

/** In place */
function transposed(a: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) [a[i * n + j], a[j * n + i]] = [a[j * n + i]!, a[i * n + j]!];
  }
  return a;
}
