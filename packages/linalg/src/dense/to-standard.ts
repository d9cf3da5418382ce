/** From AX = BXΛ with B = RᵀR to a standard eigenproblem, and back */

import { transposed } from "../arrays/transpose.js";
import type { Engine } from "../contracts/engine.js";
import type { Small } from "../contracts/matrix.js";

/**
 * The entries of R⁻¹·Z for R n×n upper triangular, from those of Z (n×p). For engines that divide from the right only: with J the reversal
 * of the order, JRᵀJ is upper triangular, and (R⁻¹Z)ᵀJ = ZᵀJ·(JRᵀJ)⁻¹.
 */
export function leftDivided(E: Engine, R: Small, z: Float64Array, p: number): Float64Array {
  const n = R.rows;
  if (E.factor.divideLeft) {
    const X = E.small(n, p, z);
    E.factor.divideLeft(X, R);
    return E.read(X);
  }
  const r = E.read(R);
  const [flipped, turned] = [new Float64Array(n * n), new Float64Array(p * n)];
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) flipped[(n - 1 - j) * n + n - 1 - i] = r[i * n + j]!;
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) turned[j * n + n - 1 - i] = z[i * p + j]!;
  const Y = E.small(p, n, turned);
  E.factor.divide(Y, E.small(n, n, flipped));
  E.read(Y, turned);
  const x = new Float64Array(n * p);
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) x[i * p + j] = turned[j * n + n - 1 - i]!;
  return x;
}

/** A ← R⁻ᵀ·A·R⁻¹ for a symmetric A: AX = BXΛ with B = RᵀR becomes a standard eigenproblem for Z = RX */
export function reduceToStandard(E: Engine, A: Small, R: Small): void {
  if (E.factor.reduce) {
    E.factor.reduce(A, R);
    return;
  }
  // A·R⁻¹, its transpose R⁻ᵀ·A, and R⁻ᵀ·A·R⁻¹
  E.factor.divide(A, R);
  E.write(A, transposed(E.read(A), A.rows, A.rows));
  E.factor.divide(A, R);
}
