/** Eigenproblems with known eigenvalues, and a run of the Krylov solver on them */

import type { Objective, QuadraticForm, State } from "@expen/core";
import { quadraticObjective, randomStart } from "@expen/core";
import { krylovExpen } from "@expen/eigen";
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";

export type Quadratic = Objective & { quadratic: QuadraticForm };

/** The Laplacian of a k×k×k grid: eigenvalues that stand three and six times */
export function grid(k: number): { A: Sparse; values: number[] } {
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  const add = (row: number, col: number, value: number): void => {
    i.push(row);
    j.push(col);
    v.push(value);
  };
  const steps = [1, k, k * k];
  for (let row = 0; row < k ** 3; row++) {
    add(row, row, 6);
    for (const step of steps) {
      const at = Math.floor(row / step) % k;
      if (at > 0) add(row, row - step, -1);
      if (at < k - 1) add(row, row + step, -1);
    }
  }
  const one = Array.from({ length: k }, (_, a) => 2 - 2 * Math.cos((Math.PI * (a + 1)) / (k + 1)));
  const values = one.flatMap((a) => one.flatMap((b) => one.map((c) => a + b + c))).sort((a, b) => a - b);
  return { A: sparseFromTriplets(k ** 3, k ** 3, i, j, v), values };
}

/** f of eigenvectors with these eigenvalues */
export const half = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / 2;

export function objectiveOf(E: Engine, p: number, A: Matrix | Sparse, C?: Matrix): Quadratic {
  const { apply, flops } = E.operator(A);
  const form = { apply: (Y: Tall, X: Tall) => apply(Y, X), flops, ...(C && { C: E.small(p, p, C.data) }) };
  return quadraticObjective(E, A.rows, p, form) as Quadratic;
}

/** The last state, when the gradient norm is below the tolerance */
export function run(E: Engine, f: Quadratic, tolerance: number, seed = 1): State {
  const steps = krylovExpen(E, f, randomStart(E, f.n, f.p, seed), { tolerance, seed });
  for (;;) {
    const next = steps.next();
    if (next.done) throw new Error(next.value.text);
    if (next.value.gnorm <= tolerance || next.value.k > 300) return next.value;
  }
}

/** ‖∇f − XS‖ with S = Xᵀ∇f, and ‖XᵀX − I‖ */
export function measuredAt(E: Engine, { n, p, fg }: Objective, X: Tall): { residual: number; feasibility: number } {
  const [G, S, K] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
  fg(G, X);
  E.tmul(S, X, G);
  E.mul(G, X, S, -1, 1);
  E.gram(K, X);
  E.addDiagonal(K, -1);
  return { residual: Math.sqrt(E.dot(G, G)), feasibility: Math.sqrt(E.dot(K, K)) };
}
