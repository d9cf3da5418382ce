/** One judge of all answers: the residual of BX = XΛ, and whether an eigenvalue was missed. */

import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import { polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";

export interface Judged {
  residual: number;
  excess: number;
  allowed: number;
  /** roundoff of the sum of the eigenvalues */
  rounding: number;
}

/**
 * At the nearest orthonormal point, with Λ = XᵀBX and R = BX − XΛ: ‖R‖/‖BX‖ and tr Λ − Σ λ_j. Each eigenvalue of Λ has one
 * of B within ‖R‖, p different ones together within √p‖R‖ (Kahan); where Σ λ_j is exceeded by more, a lower one was missed.
 */
export function judgeOf(
  E: Engine,
  B: Matrix | Sparse,
  values: ArrayLike<number>,
  n: number,
  p: number,
): (X: Matrix) => Judged {
  const { apply } = E.operator(B);
  const [project, P, BP, S] = [polar(E, n, p), E.tall(n, p), E.tall(n, p), E.small(p, p)];
  let sum = 0;
  for (let j = 0; j < p; j++) sum += values[j]!;
  const rounding = 1e-14 * p * rowSum(B);
  return (X) => {
    project(P, tallOf(E, X));
    apply(BP, P);
    E.tmul(S, P, BP);
    const size = Math.sqrt(E.dot(BP, BP));
    const trace = E.dot(P, BP);
    E.mul(BP, P, S, -1, 1);
    const left = Math.sqrt(E.dot(BP, BP));
    return { residual: left / size, excess: trace - sum, allowed: 2 * Math.sqrt(p) * left + rounding, rounding };
  };
}

/** max_i Σ_j |b_ij| ≥ ‖B‖₂ */
function rowSum(B: Matrix | Sparse): number {
  const values = isSparse(B) ? B.values : B.data;
  let largest = 0;
  for (let i = 0; i < B.rows; i++) {
    const [from, to] = isSparse(B) ? [B.pointers[i]!, B.pointers[i + 1]!] : [i * B.cols, (i + 1) * B.cols];
    let sum = 0;
    for (let k = from; k < to; k++) sum += Math.abs(values[k]!);
    largest = Math.max(largest, sum);
  }
  return largest;
}
