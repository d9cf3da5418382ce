/**
 * Whether what has converged is all that is wanted. Of an eigenvalue that stands more often than a block has columns a Krylov space
 * misses vectors; so where as many lie together, random vectors begin one more space, a round, until it is unlikely not to have seen
 * what is missing (krylov/witness.ts), and again, until the wanted ones stay the same.
 */
import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";
import { MISSED, type Witness, witnessesOf } from "./witness.js";

/** A residual that is a smaller part of the tolerance may be rounding. */
const LEAST = 0.01;
/** Ritz values that are nearer than so many residuals are never told apart */
const APART = 10;
/** So many times the columns that all took to converge may go into telling values apart: a round takes about as many. */
const PATIENCE = 0.5;

export interface Confirmation {
  /** the gradient norm that counts as converged */
  readonly target: number;
  /** random vectors began the space, and what they bring is not known yet */
  readonly inRound: boolean;
  /** what has converged is all */
  readonly done: boolean;
  /** From the beginning, with spaces of another operator */
  again(): void;
  /** Whether a vector that is wanted may not have been seen: until it was, the next pair counts as if it were wanted */
  unseen(ritz: KrylovPairs): boolean;
  /** Whether a space with these pairs is to grow further, when so many columns were multiplied */
  unfinished(ritz: KrylovPairs, gnorm: number, multiplied: number): boolean;
  /** After a space, where f is `value`; `afresh`: random vectors begin the next one */
  judge(ritz: KrylovPairs, gnorm: number, value: number, multiplied: number): { converged: boolean; afresh: boolean };
  /** The next space begins with the Ritz vectors at these places; σ where it is one of −(B − σI)⁻¹ */
  begin(ritz: KrylovPairs, chosen: readonly number[], afresh: boolean, sigma?: number): void;
  /** What is left may be rounding: this norm counts as converged, and nothing more is waited for. */
  settle(gnorm: number): void;
  /** All is there, and a smaller norm is asked for. */
  tighten(gnorm: number): void;
}

/** For the gradient norm `asked` with p columns of n rows, in blocks of b */
export function confirmation(
  wanted: Pairing,
  [n, p, b]: readonly [number, number, number],
  asked: number,
): Confirmation {
  const rho = asked / Math.sqrt(p);
  let phase: "open" | "round" | "done";
  let [target, left, before] = [asked, asked, asked];
  /** Ritz values are that far from eigenvalues at most, by all residuals left out: where f has fallen by more, more may be missing */
  let nearness: number;
  let witnesses: Witness[];
  /** columns up to which values may come apart */
  let until: number | undefined;
  again();

  function again(): void {
    // of p ≤ b columns a block sees all
    phase = p <= b ? "done" : "open";
    // half of what is asked: rounds leave residuals out, the first one up to 0.6 of it, each one half of the last
    [target, left, before, nearness] = [asked / 2, 1.2 * asked, Number.NaN, 0];
    [witnesses, until] = [[], undefined];
  }

  const unseen = (ritz: KrylovPairs): boolean =>
    phase === "round" && witnesses.some((one) => one.missed(ritz) > MISSED);
  /** Whether values are blurred and residuals may fall further */
  const waits = (ritz: KrylovPairs, multiplied: number): boolean =>
    phase === "open" &&
    nearest(ritz, wanted, b, rho) === "blurred" &&
    multiplied < (until ??= (1 + PATIENCE) * multiplied);

  return {
    get target() {
      return target;
    },
    get inRound() {
      return phase === "round";
    },
    get done() {
      return phase === "done";
    },
    again,
    unseen,
    unfinished: (ritz, gnorm, multiplied) => gnorm > target || unseen(ritz) || waits(ritz, multiplied),
    judge(ritz, gnorm, value, multiplied) {
      if (!(gnorm <= target) || waits(ritz, multiplied)) return { converged: false, afresh: false };
      if (phase === "round" && !unseen(ritz)) phase = before - value <= nearness ? "done" : "open";
      if (phase === "open" && nearest(ritz, wanted, b, rho) === "apart") phase = "done";
      const afresh = phase === "open";
      if (afresh) {
        [phase, target, before] = ["round", (left /= 2), value];
        nearness += Math.sqrt(p) * Math.max(gnorm, LEAST * asked);
      }
      return { converged: true, afresh };
    },
    begin(ritz, chosen, afresh, sigma) {
      if (afresh) witnesses = witnessesOf(ritz.theta, wanted, nearness, [n, b, chosen.length], sigma);
      else if (phase === "round") for (const one of witnesses) one.restarted(ritz, chosen);
    },
    settle(gnorm) {
      [target, witnesses, until] = [Math.max(target, gnorm), [], 0];
    },
    tighten(gnorm) {
      target = gnorm / 2;
    },
  };
}

/**
 * Whether b or more Ritz values from a wanted one on lie together. Of k ≤ b eigenvalues, however near to each other, a generic block of b
 * columns sees all vectors at once; of more it sees b mixtures. A mixture of eigenvalues δ apart has a residual of about δ·sin θ, θ its
 * angle to an eigenvector, so that residuals as small as r₁ … r_b come about by chance with a probability of about Π r_k/δ. Where that is
 * above MISSED for the δ that is seen, values are blurred: smaller residuals may show them apart. What is nearer than the tolerance ρ of
 * a residual is together in any case.
 */
export function nearest(
  { theta, residual }: KrylovPairs,
  wanted: Pairing,
  b: number,
  rho: number,
): "apart" | "blurred" | "together" {
  const last = theta.length - 1;
  let found: "apart" | "blurred" = "apart";
  /** of the b values from i on; there may be fewer */
  const together = (i: number): boolean => {
    const gap = theta[i + b - 1]! - theta[i]!;
    if (!(gap > rho)) return true;
    const parts = residual.subarray(i, i + b).map((r) => r / gap);
    const chance = parts.reduce((product, part) => product * part, 1);
    if (!(chance <= MISSED) || Math.max(...parts) * APART > 1) found = "blurred";
    return false;
  };
  for (let i = 0; i < wanted.low; i++) if (together(i)) return "together";
  for (let i = last; i > last - wanted.high; i--) if (together(i - b + 1)) return "together";
  return found;
}
