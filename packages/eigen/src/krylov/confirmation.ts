/**
 * Decides whether all wanted pairs are among the converged ones. Of an eigenvalue whose multiplicity is above the columns of a block, a
 * Krylov space misses vectors. Where that many Ritz values lie together, random vectors therefore begin one more space, a round, which
 * ends when it is unlikely that it has missed an eigenvector (krylov/miss-bound.ts); rounds follow until the wanted values stay the same.
 */
import { MISSED, type MissBound, missBounds } from "./miss-bound.js";
import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";

/** A residual that is a smaller part of the tolerance may be rounding. */
const ROUNDING = 0.01;
/** Ritz values are told apart only where they are farther from each other than so many residuals. */
const RESIDUALS = 10;
/** Part of the columns to convergence that may go into telling values apart: a round takes about as many. */
const PATIENCE = 0.5;

export interface Confirmation {
  /** the gradient norm that counts as converged */
  readonly target: number;
  /** Random vectors began the space, and may still bring eigenvectors that were missed. */
  readonly isInRound: boolean;
  /** All wanted pairs have converged, and none is missing. */
  readonly isComplete: boolean;
  /** From the beginning, with spaces of another operator */
  reset(): void;
  /** Whether a wanted vector may have been missed: until that is unlikely, the next pair counts as if it were wanted */
  mayMiss(pairs: KrylovPairs): boolean;
  /** Whether a space with these pairs must grow further, when so many columns were multiplied */
  needsMore(pairs: KrylovPairs, gnorm: number, multiplied: number): boolean;
  /** After a space, where f is `value`; `random`: random vectors begin the next one */
  judge(pairs: KrylovPairs, gnorm: number, value: number, multiplied: number): { converged: boolean; random: boolean };
  /** The next space begins with the Ritz vectors at these places; σ where it is one of −(B − σI)⁻¹ */
  restart(pairs: KrylovPairs, chosen: readonly number[], random: boolean, sigma?: number): void;
  /** The rest may be rounding: this norm counts as converged, and a round ends at once. */
  accept(gnorm: number): void;
  /** All are found, and a smaller norm is asked for. */
  tighten(gnorm: number): void;
}

/** For the gradient norm `tolerance` with p columns of n rows, in blocks of b */
export function confirmation(
  wanted: Pairing,
  [n, p, b]: readonly [number, number, number],
  tolerance: number,
): Confirmation {
  const resolution = tolerance / Math.sqrt(p);
  let phase: "open" | "round" | "complete";
  /** the gradient norm of the next round, and f before this one */
  let [target, share, valueBefore] = [tolerance, tolerance, tolerance];
  /** a bound of Σ|θ − λ| by all residuals that were left: where f has fallen by more, more may be missing */
  let error: number;
  let bounds: MissBound[];
  /** columns up to which values may come apart */
  let until: number | undefined;
  reset();

  function reset(): void {
    // of p ≤ b columns a block misses none
    phase = p <= b ? "complete" : "open";
    // half of the tolerance: rounds leave residuals, the first one up to 0.6 of it, each one half of the last
    [target, share, valueBefore, error] = [tolerance / 2, 1.2 * tolerance, Number.NaN, 0];
    [bounds, until] = [[], undefined];
  }

  const mayMiss = (pairs: KrylovPairs): boolean =>
    phase === "round" && bounds.some((bound) => bound.probability(pairs) > MISSED);
  /** Whether smaller residuals may tell values apart */
  const isBlurred = (pairs: KrylovPairs, multiplied: number): boolean =>
    phase === "open" &&
    separation(pairs, wanted, b, resolution) === "blurred" &&
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
      if (phase === "open" && separation(pairs, wanted, b, resolution) === "apart") phase = "complete";
      const random = phase === "open";
      if (random) {
        [phase, target, valueBefore] = ["round", (share /= 2), value];
        error += Math.sqrt(p) * Math.max(gnorm, ROUNDING * tolerance);
      }
      return { converged: true, random };
    },
    restart(pairs, chosen, random, sigma) {
      if (random) bounds = missBounds(pairs.theta, wanted, error, [n, b, chosen.length], sigma);
      else if (phase === "round") for (const bound of bounds) bound.restart(pairs, chosen);
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
 * Whether b or more Ritz values from a wanted one on lie together. Of k ≤ b eigenvalues, however near to each other, a generic block of b
 * columns finds all vectors at once; of more it finds b mixtures. A mixture of eigenvalues δ apart has a residual of about δ·sin θ, θ its
 * angle to an eigenvector, so that residuals as small as r₁ … r_b come about by chance with a probability of about Π r_k/δ. Where that is
 * above MISSED for the observed δ, values are blurred: smaller residuals may tell them apart. Values that are nearer than the tolerance
 * of a residual, `resolution`, are together in any case.
 */
export function separation(
  { theta, residual }: KrylovPairs,
  wanted: Pairing,
  b: number,
  resolution: number,
): "apart" | "blurred" | "together" {
  const last = theta.length - 1;
  let result: "apart" | "blurred" = "apart";
  /** of the b values from i on; there may be fewer */
  const areTogether = (i: number): boolean => {
    const gap = theta[i + b - 1]! - theta[i]!;
    if (!(gap > resolution)) return true;
    const parts = residual.subarray(i, i + b).map((r) => r / gap);
    const chance = parts.reduce((product, part) => product * part, 1);
    if (!(chance <= MISSED) || Math.max(...parts) * RESIDUALS > 1) result = "blurred";
    return false;
  };
  for (let i = 0; i < wanted.low; i++) if (areTogether(i)) return "together";
  for (let i = last; i > last - wanted.high; i--) if (areTogether(i - b + 1)) return "together";
  return result;
}
