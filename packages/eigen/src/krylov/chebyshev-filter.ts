/**
 * T_m(B̂) with Chebyshev's polynomial of odd degree m and B̂ = (2B − (a + c)I)/(c − a). Eigenvalues in [a, c] go to [−1, 1], those below a
 * far below −1, in their order, and any above c to the other end. Krylov spaces of it need few columns, of m products each, for a
 * lower end whose eigenvalues are close beside ‖B‖ (Zhou and Saad, SIAM J. Matrix Anal. Appl. 29, 2007): no orthogonalization between
 * these products, and over processes no sum.
 */
import type { QuadraticForm } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import type { KrylovPairs } from "./projection.js";

export interface FilterBounds {
  /** the eigenvalues from `a` to `c` are suppressed, and usually none is above c */
  readonly a: number;
  readonly c: number;
  readonly degree: number;
}

/** −T_m at the lowest Ritz value: a space gains as many digits by each column, and the others lose as many to rounding */
const GAIN = 100;

/**
 * From the pairs of a space of B, or of an earlier filter: suppressed is what lies beyond the Ritz values that a restart keeps, `count`.
 * The spectrum ends below the largest Ritz value + ‖R‖ (Zhou and Li, Appl. Math. Lett. 24, 2011), which `highest` keeps for later spaces.
 */
export function filterBounds({ theta, r }: KrylovPairs, count: number, highest?: number): FilterBounds | undefined {
  const c = highest ?? theta.at(-1)! + Math.hypot(...r);
  const a = theta[Math.min(count, theta.length - 1)]!;
  const share = (a - theta[0]!) / (c - a);
  if (!(share > 0 && Number.isFinite(share))) return undefined;
  return { a, c, degree: 1 + 2 * Math.ceil((Math.acosh(GAIN) / Math.acosh(1 + 2 * share) - 1) / 2) };
}

export function chebyshevFilter(E: Engine, n: number, { apply }: QuadraticForm, { a, c, degree }: FilterBounds) {
  const [centre, half] = [(a + c) / 2, (c - a) / 2];
  let [before, now] = [E.tall(n, 0), E.tall(n, 0)];
  return {
    /** Y ← T_m(B̂)·W by the recurrence T_k+1 = 2·B̂·T_k − T_k−1 */
    apply(Y: Tall, W: Tall): void {
      if (now.cols !== W.cols) [before, now] = [E.tall(n, W.cols), E.tall(n, W.cols)];
      E.copy(before, W);
      apply(now, W);
      E.combine(now, 1 / half, now, -centre / half, W);
      for (let k = 1; k < degree; k++) {
        apply(Y, now);
        E.combine(Y, 2 / half, Y, (-2 * centre) / half, now);
        E.combine(before, 1, Y, -1, before);
        [before, now] = [now, before];
      }
      E.copy(Y, now);
    },
    /** the value of T_m(B̂) that belongs to the eigenvalue λ < a of B */
    own: (lambda: number): number => -Math.cosh(degree * Math.acosh(Math.max(1, (centre - lambda) / half))),
    /**
     * Ritz pairs of B. A vector with the residual ρ for ν < −1 has one of at most ρ·max (μ − λ)/(q(μ) − ν) over the spectrum, which c
     * and q = −1 … 1 bound by (c − λ)/(−1 − ν).
     */
    pairsOfB(pairs: KrylovPairs): KrylovPairs {
      const { theta: own, residual } = pairs;
      const lambda = (nu: number): number =>
        nu < -1 ? centre - half * Math.cosh(Math.acosh(-nu) / degree) : centre + half * Math.min(1, nu);
      return {
        ...pairs,
        own,
        theta: own.map(lambda),
        residual: residual.map((rho, j) => Math.min(c - a, ((c - lambda(own[j]!)) * rho) / Math.max(0, -1 - own[j]!))),
      };
    },
  };
}
