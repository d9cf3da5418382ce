import type { Engine, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** ⟨∇f(X), D⟩ from values of f alone. */
interface Along {
  value: number;
  /** estimated bound of its error; Infinity if f is not finite nearby */
  error: number;
  /** lower estimate of the noise of f */
  noise: number;
  /** all values of f were the same */
  flat: boolean;
}

/** A value of ⟨∇f(X), D⟩ to test: differences of f that are this close to it suffice. */
interface Claim {
  readonly given: number;
  readonly close: number;
}

/** Steps h, h/8, h/64, h/512: some of them suit f, whatever its scale. */
export const COARSEST: number = 2 ** -4;
/** ratio of neighbouring steps */
const RATIO = 8;
/** steps with finite values that an estimate needs */
const PAIRS = 4;
/** Steps tried at most, until four neighbours give finite values */
const TRIES = 8;
/** factor on the estimated truncation error, which comes from one or two samples */
const TRUNCATION = 8;
/** factor on the estimated roundoff, likewise */
const ROUNDING = 16;
/** unit in the last place of 1 */
const EPS = 2 ** -52;

/**
 * Central differences c_k = (f(X + h_kD) − f(X − h_kD)) / 2h_k = f′ + a·h_k² + b·h_k⁴ + …, extrapolated twice (Richardson, Romberg):
 *
 *     b_k = (64·c_{k+1} − c_k) / 63,     a_k = (4096·b_{k+1} − b_k) / 4095
 *
 * The truncation error of each is estimated by its neighbour of the same order, which holds for an f that is not smooth as well, unlike the
 * size of the last correction. The roundoff is noise/h, with a noise of at least ε|f| and of the residual of f at the finest step from
 * the polynomial through the coarser ones, in the odd and in the even part of f along D. The answer is the estimate with the least error.
 * Eight values of f; D should move the entries of X by about their own size; Y is scratch. `noise`: a noise known before.
 *
 * With a claim the two steps in the middle come first: if their b agrees with it, it is the answer, with four values. An agreement to so
 * many digits is no accident, whatever the error of b.
 */
export function derivativeAlong(E: Engine, f: Objective, X: Tall, D: Tall, Y: Tall, noise = 0, claim?: Claim): Along {
  const known = new Map<number, number>();
  const at = (t: number): number => {
    let value = known.get(t);
    if (value === undefined) {
      E.combine(Y, 1, X, t, D);
      known.set(t, (value = f.f(Y)));
    }
    return value;
  };
  if (claim) {
    const middle = [COARSEST / RATIO, COARSEST / RATIO ** 2].map((t) => (at(t) - at(-t)) / (2 * t));
    const value = extrapolated(middle, RATIO ** 2)[0]!;
    if (Math.abs(value - claim.given) <= claim.close) return { value, error: claim.close, noise, flat: false };
  }
  const pairs = finitePairs(at);
  if (!pairs) return { value: Number.NaN, error: Number.POSITIVE_INFINITY, noise, flat: false };
  const { h, plus, minus } = pairs;
  const c = h.map((t, k) => (plus[k]! - minus[k]!) / (2 * t));
  const b = extrapolated(c, RATIO ** 2);
  const a = extrapolated(b, RATIO ** 4);
  const largest = Math.max(...plus.map(Math.abs), ...minus.map(Math.abs));
  const fluctuation = Math.max(noise, EPS * largest, Math.abs(h[3]! * (c[3]! - a[0]!)), evenResidual(plus, minus));
  const best = { value: Number.NaN, error: Number.POSITIVE_INFINITY };
  for (const [column, offset] of [
    [c, 0],
    [b, 1],
    [a, 2],
  ] as const) {
    for (let k = 0; k < column.length; k++) {
      const value = column[k]!;
      const spread = Math.max(Math.abs(value - column[k === 0 ? 1 : k - 1]!), Math.abs(value - b[2]!));
      const error = TRUNCATION * spread + (ROUNDING * fluctuation) / h[k + offset]!;
      if (error < best.error) Object.assign(best, { value, error });
    }
  }
  const flat = [...plus, ...minus].every((value) => value === plus[0]);
  return { ...best, noise: fluctuation, flat };
}

/** The residual of e_k = f(X + h_kD) + f(X − h_kD) = 2f + a·h_k² + b·h_k⁴ + … at the finest step, after 2f, a and b are eliminated */
function evenResidual(plus: readonly number[], minus: readonly number[]): number {
  const e = plus.map((value, k) => value + minus[k]!);
  const d = e.slice(1).map((value, k) => e[k]! - value);
  // d_k = a′·h_k² + b′·h_k⁴ + …, so that 64·d_{k+1} − d_k has b′ alone
  const q = d.slice(1).map((value, k) => value - d[k]! / RATIO ** 2);
  return Math.abs(q[1]! - q[0]! / RATIO ** 4) / 2;
}

/** From values at neighbouring steps, one fewer without the leading term of their error, which falls by `factor` from step to step */
const extrapolated = (values: readonly number[], factor: number): number[] =>
  values.slice(1).map((fine, k) => fine + (fine - values[k]!) / (factor - 1));

function finitePairs(at: (t: number) => number) {
  let [h, plus, minus]: number[][] = [[], [], []] as number[][];
  for (let i = 0, t = COARSEST; i < TRIES && h!.length < PAIRS; i++, t /= RATIO) {
    const [above, below] = [at(t), at(-t)];
    // f is not defined there: begin again with smaller steps
    if (!Number.isFinite(above - below)) [h, plus, minus] = [[], [], []];
    else {
      h!.push(t);
      plus!.push(above);
      minus!.push(below);
    }
  }
  return h!.length === PAIRS ? { h: h!, plus: plus!, minus: minus! } : undefined;
}
