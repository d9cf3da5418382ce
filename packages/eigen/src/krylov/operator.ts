/** The operator of the Krylov spaces: B first, −(B − σI)⁻¹ after `invert`, a polynomial of B after `filter`. */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { chebyshevFilter, filterBounds } from "./chebyshev-filter.js";
import type { Plan } from "./plan.js";
import type { KrylovPairs } from "./projection.js";
import { extremesOf, type Inverse, inverseOf, lanczosExtremes, pairsOfB, shiftedInverse } from "./shifted-inverse.js";

export interface KrylovOperator {
  /** the inverse of B − σI, if `invert` may still be called */
  readonly inverse: Inverse | undefined;
  /** σ and the number of solves so far, after `invert`; the degree of the polynomial, after `filter` */
  readonly notes: Record<string, number> | undefined;
  /** whether the operator is a polynomial */
  readonly isFiltered: boolean;
  /** Y ← B·W, −(B − σI)⁻¹·W, or the polynomial */
  apply(Y: Tall, W: Tall): void;
  /** The value of the operator that belongs to the eigenvalue λ of B */
  own(lambda: number): number;
  /** Seconds for spaces with `columns` columns in all */
  seconds(columns: number): number;
  /** Ritz pairs of B */
  pairsOfB(pairs: KrylovPairs): KrylovPairs;
  /** Switches to −(B − σI)⁻¹, σ below the spectrum as estimated by these pairs or by Lanczos steps; false if no σ was found */
  invert(pairs?: KrylovPairs): boolean;
  /**
   * Switches to a Chebyshev polynomial of B that suppresses all beyond the first `count` of these pairs, if that pays where `columns` more
   * would be needed; false if not
   */
  filter(pairs: KrylovPairs, count: number, columns: number): boolean;
  /** Switches back to B for the rest of the run */
  revert(): void;
}

export function krylovOperator(E: Engine, n: number, form: QuadraticForm, plan: Plan, seed: number): KrylovOperator {
  let inverse: Inverse | undefined = form.C ? undefined : inverseOf(E, form);
  let apply = form.apply;
  let seconds = plan.products;
  let notes: Record<string, number> | undefined;
  let own = (lambda: number): number => lambda;
  let pairsOf = (pairs: KrylovPairs): KrylovPairs => pairs;
  let mayFilter = !form.C;
  let highest: number | undefined;
  return {
    get inverse() {
      return inverse;
    },
    get notes() {
      return notes;
    },
    get isFiltered() {
      return highest !== undefined && mayFilter;
    },
    apply: (Y, W) => apply(Y, W),
    seconds: (columns) => seconds(columns),
    own: (lambda) => own(lambda),
    pairsOfB: (pairs) => pairsOf(pairs),
    invert(pairs) {
      const candidate = inverse;
      inverse = undefined;
      const shifted =
        candidate && shiftedInverse(candidate, pairs ? extremesOf(pairs) : lanczosExtremes(E, n, form, seed));
      if (!shifted) return false;
      const { sigma } = shifted;
      const counts = (notes = { sigma, solves: 0 });
      own = (lambda) => -1 / (lambda - sigma);
      pairsOf = (pairs) => pairsOfB(pairs, sigma);
      mayFilter = false;
      seconds = (columns) => plan.solves(candidate, columns);
      apply = (Y, W) => {
        counts.solves += W.cols;
        shifted.apply(Y, W);
      };
      return true;
    },
    filter(pairs, count, columns) {
      const isTried = mayFilter && (highest !== undefined || plan.isSlow(columns));
      const bounds = isTried ? filterBounds(pairs, count, highest) : undefined;
      if (!bounds || !plan.filterPays(bounds.degree, seconds(columns))) return false;
      const { degree, c } = bounds;
      const filtered = chebyshevFilter(E, n, form, bounds);
      ({ apply, own, pairsOfB: pairsOf } = filtered);
      seconds = (more) => plan.filtered(degree, more);
      notes = { degree };
      highest = c;
      return true;
    },
    revert() {
      apply = form.apply;
      own = (lambda) => lambda;
      pairsOf = (pairs) => pairs;
      seconds = plan.products;
      mayFilter = false;
      notes = undefined;
    },
  };
}
