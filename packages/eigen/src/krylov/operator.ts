/** The operator of the Krylov spaces: B first, −(B − σI)⁻¹ after `invert`. */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import type { Plan } from "./plan.js";
import type { KrylovPairs } from "./projection.js";
import { extremesOf, type Inverse, inverseOf, lanczosExtremes, pairsOfB, shiftedInverse } from "./shifted-inverse.js";

export interface KrylovOperator {
  /** the inverse of B − σI, if `invert` may still be called */
  readonly inverse: Inverse | undefined;
  /** σ and the number of solves so far, after `invert` */
  readonly notes: { sigma: number; solves: number } | undefined;
  /** Y ← B·W or −(B − σI)⁻¹·W */
  apply(Y: Tall, W: Tall): void;
  /** Seconds for spaces with `columns` columns in all */
  seconds(columns: number): number;
  /** Ritz pairs of B */
  pairsOfB(own: KrylovPairs): KrylovPairs;
  /** Switches to −(B − σI)⁻¹, σ below the spectrum as estimated by these pairs or by Lanczos steps; false if no σ was found */
  invert(pairs?: KrylovPairs): boolean;
  /** Switches back to B for the rest of the run */
  revert(): void;
}

export function krylovOperator(E: Engine, n: number, form: QuadraticForm, plan: Plan, seed: number): KrylovOperator {
  let inverse: Inverse | undefined = form.C ? undefined : inverseOf(E, form);
  let apply = form.apply;
  let seconds = plan.products;
  let notes: { sigma: number; solves: number } | undefined;
  return {
    get inverse() {
      return inverse;
    },
    get notes() {
      return notes;
    },
    apply: (Y, W) => apply(Y, W),
    seconds: (columns) => seconds(columns),
    pairsOfB: (own) => (notes ? pairsOfB(own, notes.sigma) : own),
    invert(pairs) {
      const candidate = inverse;
      inverse = undefined;
      const shifted =
        candidate && shiftedInverse(candidate, pairs ? extremesOf(pairs) : lanczosExtremes(E, n, form, seed));
      if (!shifted) return false;
      const counts = (notes = { sigma: shifted.sigma, solves: 0 });
      seconds = (columns) => plan.solves(candidate, columns);
      apply = (Y, W) => {
        counts.solves += W.cols;
        shifted.apply(Y, W);
      };
      return true;
    },
    revert() {
      apply = form.apply;
      seconds = plan.products;
      notes = undefined;
    },
  };
}
