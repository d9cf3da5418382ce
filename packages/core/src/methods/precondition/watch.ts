import type { Space, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";

/** Judges a preconditioner P by the pairs of a run. */
export interface Watch {
  /** P is worse than none or like none, or not positive definite: why, in words */
  readonly verdict: string | undefined;
  /**
   * Of a step s = t·D, the change y of the gradient along it, and Py, all tangent. Pairs without curvature say nothing. `least`: pairs
   * before a verdict
   */
  see(t: number, D: Tall, y: Tall, Py: Tall, least?: number): void;
  /** ⟨G, PG⟩ of some G ≠ 0 must be positive. */
  requirePositive(product: number): void;
}

/** Fewer pairs show no spread, and the Hessians of the first steps may be far apart. */
const LEAST = 8;
/** Older pairs are forgotten: curvature far from a minimiser is not that near it. */
const MOST = 20;
/** Standard errors by which log σ_P must exceed log σ_I: three leave one good P of 700 to chance. */
const ERRORS = 3;
/** A P whose quotients spread by less than this, σ of their logarithms, is a good one, whatever I would do: κ(P∇²f) of a few units. */
const GOOD = 0.25;
/** Py of all pairs is one multiple of y to within this, in log ⟨y, Py⟩/⟨y, y⟩ and log cos²∠(y, Py): P does what a number does. */
const ALIKE = 0.06;
/** Nor is a P left where Py points to s better than y does: mean of log cos²∠(s, Py) − log cos²∠(s, y), 1 is a factor of e. */
const BETTER = 1;

/**
 * The quotients ⟨s, y⟩/⟨y, Py⟩ lie between the reciprocals of the extreme eigenvalues of P½·∇²f·P½, and ⟨s, y⟩/⟨y, y⟩ between those of
 * ∇²f: how far their logarithms spread is what the pairs tell of the two condition numbers. σ² of m logarithms has the relative
 * error √(2/(m − 1)), so log(σ_P/σ_I) has a standard deviation of 1/√(m − 1) where both are alike (Fisher's z).
 *
 * Steps of a good P for an ill-conditioned f show ∇²f at its upper end alone, so that σ_I is small: then y is far from parallel to s,
 * and Py is not. Any factor in P is without influence.
 *
 * A P that is a multiple of I on all y of the run says nothing of ∇²f, and takes the place of a metric that the solver has without it.
 */
export function preconditionerWatch(E: Pick<Space, "dot">): Watch {
  const pairs: { withP: number; without: number; better: number; turn: number }[] = [];
  let verdict: string | undefined;
  return {
    get verdict() {
      return verdict;
    },
    requirePositive(product) {
      if (!(product > 0)) verdict ??= `it is not positive definite on the tangent space (⟨G, PG⟩ = ${digits(product)})`;
    },
    see(t, D, y, Py, least = LEAST) {
      const [sy, yPy, yy] = [t * E.dot(D, y), E.dot(y, Py), E.dot(y, y)];
      if (!(sy > 0 && yPy > 0 && yy > 0)) return;
      // ‖s‖ cancels
      const better = Math.log((E.dot(D, Py) ** 2 * yy * t * t) / (sy ** 2 * E.dot(Py, Py)));
      const turn = -Math.log(yPy ** 2 / (yy * E.dot(Py, Py)));
      pairs.push({ withP: Math.log(sy / yPy), without: Math.log(sy / yy), better, turn });
      if (pairs.length > MOST) pairs.shift();
      const m = pairs.length;
      const factors = pairs.map(({ withP, without }) => without - withP);
      if (m >= least && mean(pairs.map(({ turn }) => turn)) < ALIKE && deviation(factors) < ALIKE) {
        verdict ??= `it does no good: on ${m} steps it is ${digits(Math.exp(mean(factors)))} times the identity`;
        return;
      }
      if (m < least || mean(pairs.map(({ better }) => better)) > BETTER) return;
      const P = deviation(pairs.map(({ withP }) => withP));
      const I = deviation(pairs.map(({ without }) => without));
      if (!(P > GOOD && Math.log(P / I) > ERRORS / Math.sqrt(m - 1))) return;
      const spread = `⟨s, y⟩/⟨y, Py⟩ of ${m} steps spread by a factor of ${digits(Math.exp(P))}`;
      verdict ??= `it does harm: ${spread}, ⟨s, y⟩/⟨y, y⟩ by ${digits(Math.exp(I))}`;
    },
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard deviation of a sample */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}
