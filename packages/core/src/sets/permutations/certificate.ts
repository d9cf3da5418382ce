import { digits } from "@expen/linalg";
import type { Certificate } from "../../contracts/certificate.js";
import { noEvaluations } from "../../objective/evaluator.js";
import { labelsOf } from "./labels.js";
import type { Assigned } from "./swaps.js";

/** Swaps of two rows, none of which lowers f, of all that there are */
export interface Tried {
  readonly tried: number;
  readonly all: number;
}

/**
 * For convex f the gap of Frank and Wolfe: f(Z) ≥ f(P) + ⟨∇f(P), Z − P⟩ ≥ f(P) + min_Z ⟨∇f(P), Z⟩ − ⟨∇f(P), P⟩ over all permutations Z,
 * whose minimum is a linear assignment. Otherwise only that swaps do not lower f.
 */
export function permutationCertificate(
  { labels, f, G }: Assigned,
  isConvex: boolean,
  { tried, all }: Tried,
): Certificate {
  const common = { multiplier: { lowest: Number.NaN, highest: Number.NaN }, evaluations: noEvaluations(), seconds: 0 };
  if (!Number.isFinite(f)) return { ...common, level: "none", text: `f is not finite at X (f = ${f})` };
  const n = labels.length;
  const best = labelsOf(
    G.map((g) => -g),
    n,
  );
  let [gap, size] = [0, 0];
  for (let i = 0; i < n; i++) {
    const [g, h] = [G[i * n + labels[i]!]!, G[i * n + best[i]!]!];
    gap += g - h;
    size += Math.abs(g) + Math.abs(h);
  }
  const gapBound = Math.max(gap, 0) + 2 ** -52 * (n + 2) * size;
  if (isConvex && gapBound <= 1e-9 * (Math.abs(f) + size)) {
    const text = `global minimum: f is convex and no permutation has a lower linear model, so f − f* ≤ ${digits(gapBound)}`;
    return { ...common, level: "global", gapBound, text };
  }
  const swaps = tried > 0 ? `; none of ${tried} of ${all} swaps of two rows lowers f` : "";
  return { ...common, level: "stationary", text: `X is a permutation, and these are isolated points${swaps}` };
}
