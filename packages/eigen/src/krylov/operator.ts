/** The operator whose Krylov spaces are built: B, or −(B − σI)⁻¹ from some point of the run on. */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import type { Plan } from "./plan.js";
import type { KrylovPairs } from "./projection.js";
import { extremesOf, type Inverse, inverseOf, lanczosExtremes, pairsOfB, shiftedInverse } from "./shifted-inverse.js";

export interface KrylovOperator {
  /** the inverse of B − σI that may still be taken */
  readonly inverse: Inverse | undefined;
  /** σ and the solves so far, where the inverse was taken */
  readonly notes: { sigma: number; solves: number } | undefined;
  /** Y ← B·W or −(B − σI)⁻¹·W */
  apply(Y: Tall, W: Tall): void;
  /** Seconds that spaces with so many columns take */
  seconds(columns: number): number;
  /** Ritz pairs of B */
  pairsOfB(own: KrylovPairs): KrylovPairs;
  /** −(B − σI)⁻¹ from now on, σ below the spectrum, of which these pairs or Lanczos steps are known; false where no σ was found */
  invert(known?: KrylovPairs): boolean;
  /** B again, for good */
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
    invert(known) {
      const taken = inverse;
      inverse = undefined;
      const made = taken && shiftedInverse(taken, known ? extremesOf(known) : lanczosExtremes(E, n, form, seed));
      if (!made) return false;
      const counts = (notes = { sigma: made.sigma, solves: 0 });
      seconds = (columns) => plan.solves(taken, columns);
      apply = (Y, W) => {
        counts.solves += W.cols;
        made.apply(Y, W);
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
