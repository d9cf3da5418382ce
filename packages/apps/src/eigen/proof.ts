/** The statements that are shown of computed eigenvalues: a bound for each, and that none is missing. */
import { gamma } from "@expen/core/certify";
import { digits } from "@expen/linalg";
import { type Complete, type Counter, completeness, distanceTo, type Target } from "./completeness.js";
import { enclosuresOf, sharpened, singularEnclosures } from "./enclosures.js";
import type { ShiftedPencil } from "./shifted-pencil.js";

/** The statement about the values of eigs and svds, and its proof */
export interface EigsCertificate {
  /**
   * complete: the values are the wanted eigenvalues, none is missing, and each is within its bound. residual: each is within its bound of
   * an eigenvalue; others may have been missed. none: the residuals alone are known.
   */
  readonly level: "complete" | "residual" | "none";
  /** the statement and its proof, in words */
  readonly text: string;
  /** exactly `count` eigenvalues, all of the answer, lie between the two numbers */
  readonly interval?: Complete;
}

/** The wanted pairs, nearest first, by their indices among all pairs */
export interface Statement {
  readonly order: readonly number[];
  /** |λ − θ| ≤ bounds[j] for value j and an eigenvalue λ of its own, the wanted one of its place if the answer is complete */
  readonly bounds?: number[];
  readonly certificate: EigsCertificate;
}

/** Computed values with what is known of the errors of their vectors */
export interface Computed {
  /** ascending */
  readonly theta: Float64Array;
  /** norms of the residuals of unit vectors */
  readonly residual: Float64Array;
  /** bounds of the roundoff in them */
  readonly rounding: Float64Array;
  /** ‖XᵀBX − I‖ */
  readonly defect: number;
  /** a lower bound of λmin(B), 1 where B = I; undefined if none is known */
  readonly metric: number | undefined;
  /** number of all eigenvalues */
  readonly total: number;
}

/** `counter`: a way to count eigenvalues, or the reason why there is none */
export function proofOf(
  { theta, residual, rounding: ofProducts, defect, metric, total }: Computed,
  target: Target,
  p: number,
  counter: Counter | string,
  noun: "eigenvalue" | "singular value" = "eigenvalue",
): Statement {
  const q = theta.length;
  const distance = distanceTo(target);
  const indices = Array.from(theta, (_, j) => j);
  const order = indices.sort((a, b) => distance(theta[a]!) - distance(theta[b]!)).slice(0, p);
  if (metric === undefined) {
    const text =
      "the residuals alone are known: B is a function, or too large, so that its smallest eigenvalue has no bound";
    return { order, certificate: { level: "none", text } };
  }
  const scale = theta.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const skew = 3 * (defect + gamma(16 * q)) * scale;
  const root = Math.sqrt(metric * (1 - Math.min(defect, 0.5)));
  const rounding = ofProducts.map((error) => error / root + skew);
  const radii = residual.map((r, j) => r / root + rounding[j]!);
  const isSingular = noun === "singular value";
  const enclosures = isSingular ? singularEnclosures(theta, radii) : enclosuresOf(theta, radii);
  const isWhole = q === total;
  const complete = isWhole
    ? ALL
    : typeof counter === "string"
      ? counter
      : completeness(counter, target, enclosures, p, scale);
  if (typeof complete === "string") {
    const text = `each value is within its bound of one ${noun}; that none was missed is not shown: ${complete}`;
    return { order, bounds: order.map((j) => enclosures.radius[j]!), certificate: { level: "residual", text } };
  }
  // −σ and the zeros of [0 A; Aᵀ 0] are not among the computed ones
  const below = isSingular ? Math.max(complete.from, 0) : complete.from;
  const radius = sharpened(enclosures, { radii, rounding }, below, complete.to);
  // values outside of the interval: the wanted eigenvalue of their place is not nearer than its end
  const end = target.which === "largest" ? -complete.from : complete.to - (target.sigma ?? 0);
  const bounds = order.map((j) => Math.max(radius[j]!, distance(theta[j]!) - end));
  if (isWhole) {
    const text = `none is missing: all ${total} ${noun}s were computed, each within its bound`;
    return { order, bounds, certificate: { level: "complete", text, interval: { ...complete, count: total } } };
  }
  const text = `none is missing: ${inWords(complete, p, noun)} (${(counter as Counter).how})`;
  return { order, bounds, certificate: { level: "complete", text, interval: complete } };
}

/** The interval of a whole spectrum */
const ALL: Complete = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, count: 0 };

function inWords({ from, to, count }: Complete, p: number, noun: string): string {
  if (from === to) return "the values are sigma itself within their bounds";
  const [a, b] = [digits(from, 6), digits(to, 6)];
  const place = !Number.isFinite(from) ? `below ${b}` : Number.isFinite(to) ? `between ${a} and ${b}` : `above ${a}`;
  const rest = p - count;
  const others =
    rest > 1 ? `the other ${rest} at its end are within their bounds` : "the other one at its end is within its bound";
  const last = rest > 0 ? `, and ${others}` : "";
  if (count === 0) return `no ${noun} lies ${place}${last}`;
  const statement = count > 1 ? `${noun}s lie ${place}, all of them` : `${noun} lies ${place}, which is`;
  return `exactly ${count} ${statement} in the answer${last}`;
}

/** Counts by the pivots of shifted matrices; `metric`: a lower bound of λmin(B) */
export const inertiaCounter = ({ count, n }: ShiftedPencil, metric: number): Counter => ({
  total: n,
  how: "inertia of LDLᵀ",
  below(x) {
    const counted = count(x);
    return counted && { count: counted.below, error: counted.error / metric };
  },
});
