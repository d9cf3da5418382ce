/**
 * Decides whether all wanted pairs are among the converged ones. If the multiplicity of an eigenvalue exceeds the block size, a Krylov
 * space misses eigenvectors. If that many Ritz values lie together, random vectors therefore begin one more space, a round, which ends
 * when it is unlikely to have missed an eigenvector (krylov/miss-bound.ts); rounds follow until the wanted values stay the same.
 */
import { MISSED, type MissBound, missBounds } from "./miss-bound.js";
import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";

/** Part of the tolerance below which a residual may be roundoff */
const ROUNDING = 0.01;
/** Distance, in residuals, from which two Ritz values count as distinct */
const RESIDUALS = 10;
/** Part of the columns to convergence that may be spent on resolving close values: a round takes about as many. */
const PATIENCE = 0.5;

export interface Confirmation {
  /** gradient norm of convergence */
  readonly target: number;
  /** Random vectors began the space, and may still bring eigenvectors that were missed. */
  readonly isInRound: boolean;
  /** All wanted pairs have converged, and none is missing. */
  readonly isComplete: boolean;
  /** Begins anew, for spaces of another operator */
  reset(): void;
  /** Whether a wanted vector may have been missed; until that is unlikely, the next pair is treated as a wanted one */
  mayMiss(pairs: KrylovPairs): boolean;
  /** Whether a space with these pairs must grow further, after `multiplied` columns in all */
  needsMore(pairs: KrylovPairs, gnorm: number, multiplied: number): boolean;
  /** To be called after each space, f = `value`; `random`: random vectors begin the next one */
  judge(pairs: KrylovPairs, gnorm: number, value: number, multiplied: number): { converged: boolean; random: boolean };
  /** The next space begins with the Ritz vectors of these indices; `own` gives the values of its operator */
  restart(pairs: KrylovPairs, indices: readonly number[], random: boolean, own?: (lambda: number) => number): void;
  /** Accepts this norm, at the rounding floor, as converged, and ends a round at once. */
  accept(gnorm: number): void;
  /** All pairs are found; a smaller norm is required. */
  tighten(gnorm: number): void;
}

/** For the gradient norm `tolerance` with p columns of n rows, in blocks of b */
export function confirmation(
  pairing: Pairing,
  [n, p, b]: readonly [number, number, number],
  tolerance: number,
): Confirmation {
  const resolution = tolerance / Math.sqrt(p);
  let phase: "open" | "round" | "complete";
  /** the gradient norm of the next round, and f before this one */
  let [target, share, valueBefore] = [tolerance, tolerance, tolerance];
  /** bound of Σ|θ − λ| by the residuals at convergence; if f falls by more, further vectors may be missing */
  let error: number;
  let bounds: MissBound[];
  /** number of columns up to which close values may be resolved */
  let until: number | undefined;
  reset();

  function reset(): void {
    // with p ≤ b a block misses none
    phase = p <= b ? "complete" : "open";
    // half of the tolerance; the residuals of rounds take the rest, the first 0.6 of it, each later one half of the one before
    [target, share, valueBefore, error] = [tolerance / 2, 1.2 * tolerance, Number.NaN, 0];
    [bounds, until] = [[], undefined];
  }

  const mayMiss = (pairs: KrylovPairs): boolean =>
    phase === "round" && bounds.some((bound) => bound.probability(pairs) > MISSED);
  /** Whether smaller residuals may resolve close values */
  const isBlurred = (pairs: KrylovPairs, multiplied: number): boolean =>
    phase === "open" &&
    separation(pairs, pairing, b, resolution) === "blurred" &&
    multiplied < (until ??= (1 + PATIENCE) * multiplied);

  return {
    get target() {
      return target;
    },
    get isInRound() {
      return phase === "round";
    },
    get isComplete() {
      return phase === "complete";
    },
    reset,
    mayMiss,
    needsMore: (pairs, gnorm, multiplied) => gnorm > target || mayMiss(pairs) || isBlurred(pairs, multiplied),
    judge(pairs, gnorm, value, multiplied) {
      if (!(gnorm <= target) || isBlurred(pairs, multiplied)) return { converged: false, random: false };
      if (phase === "round" && !mayMiss(pairs)) phase = valueBefore - value <= error ? "complete" : "open";
      if (phase === "open" && separation(pairs, pairing, b, resolution) === "apart") phase = "complete";
      const random = phase === "open";
      if (random) {
        [phase, target, valueBefore] = ["round", (share /= 2), value];
        error += Math.sqrt(p) * Math.max(gnorm, ROUNDING * tolerance);
      }
      return { converged: true, random };
    },
    restart(pairs, indices, random, own) {
      if (random) bounds = missBounds(pairs.theta, pairing, error, [n, b, indices.length], own);
      else if (phase === "round") for (const bound of bounds) bound.restart(pairs, indices);
    },
    accept(gnorm) {
      [target, bounds, until] = [Math.max(target, gnorm), [], 0];
    },
    tighten(gnorm) {
      target = gnorm / 2;
    },
  };
}

/**
 * Whether b or more consecutive Ritz values, beginning with a wanted one, lie together. For k ≤ b eigenvalues, however close, a generic
 * block of b columns finds all eigenvectors at once; for more it finds b mixtures. A mixture of eigenvalues at distance δ has a residual
 * of about δ·sin θ, θ its angle to an eigenvector, so that residuals as small as r₁ … r_b occur by chance with a probability of about
 * Π r_k/δ. If that is above MISSED for the observed δ, the values are blurred: smaller residuals may resolve them. Values closer than the
 * tolerance of a residual, `resolution`, are together in any case.
 */
export function separation(
  { theta, residual }: KrylovPairs,
  eigenvalues: Pairing,
  b: number,
  resolution: number,
): "apart" | "blurred" | "together" {
  const last = theta.length - 1;
  let result: "apart" | "blurred" = "apart";
  /** for the b values from i on; there may be fewer */
  const areTogether = (i: number): boolean => {
    const gap = theta[i + b - 1]! - theta[i]!;
    if (!(gap > resolution)) return true;
    const parts = residual.subarray(i, i + b).map((r) => r / gap);
    const chance = parts.reduce((product, part) => product * part, 1);
    if (!(chance <= MISSED) || Math.max(...parts) * RESIDUALS > 1) result = "blurred";
    return false;
  };
  for (let i = 0; i < eigenvalues.low; i++) if (areTogether(i)) return "together";
  for (let i = last; i > last - eigenvalues.high; i--) if (areTogether(i - b + 1)) return "together";
  return result;
}
