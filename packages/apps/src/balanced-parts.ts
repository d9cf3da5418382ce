/** Partitions with given sizes from unit vectors, by random projections and exchanges of two nodes */

import type { Random } from "@expen/linalg";

export interface Projected {
  /** k×n: a unit vector for each node */
  readonly x: Float64Array;
  readonly k: number;
  /** n×n: weights of the edges */
  readonly w: Float64Array;
  readonly sizes: readonly number[];
}

/** A decrease of the cut below this part of the total weight is roundoff. */
const DECREASE = 1e-12;

/** The least cut of so many projections, each improved until no exchange of two nodes lowers it [Kernighan and Lin, 1970]. */
export function balancedParts(problem: Projected, trials: number, r: Random): { labels: number[]; cut: number } {
  let best: { labels: number[]; cut: number } | undefined;
  for (let trial = 0; trial < trials; trial++) {
    const labels = exchangeNodes(project(problem, r), problem);
    const cut = cutOf(labels, problem.w);
    if (!best || cut < best.cut) best = { labels, cut };
  }
  return best!;
}

/** Each node to the one of p random directions that it is nearest to, the largest product first, as long as there is room */
function project({ x, k, sizes }: Projected, r: Random): number[] {
  const n = x.length / k;
  const scores: { node: number; part: number; score: number }[] = [];
  for (const part of sizes.keys()) {
    const h = Array.from({ length: k }, () => r.normal());
    for (let node = 0; node < n; node++)
      scores.push({ node, part, score: h.reduce((s, v, a) => s + v * x[a * n + node]!, 0) });
  }
  scores.sort((a, b) => b.score - a.score);
  const room = [...sizes];
  const labels = new Array<number>(n).fill(-1);
  for (const { node, part } of scores) {
    if (labels[node]! >= 0 || room[part] === 0) continue;
    labels[node] = part;
    room[part]!--;
  }
  return labels;
}

/** Exchanges two nodes of different parts while the cut falls. */
function exchangeNodes(start: readonly number[], { w, sizes }: Projected): number[] {
  const labels = [...start];
  const [n, p] = [labels.length, sizes.length];
  /** weight of the edges of node i to part a */
  const to = new Float64Array(n * p);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) to[i * p + labels[j]!]! += w[i * n + j]!;
  const least = DECREASE * w.reduce((s, v) => s + Math.abs(v), 0);
  for (let isLower = true; isLower; ) {
    isLower = false;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [labels[i]!, labels[j]!];
        if (a === b) continue;
        const gain = to[i * p + b]! - to[i * p + a]! + to[j * p + a]! - to[j * p + b]! - 2 * w[i * n + j]!;
        if (!(gain > least)) continue;
        [labels[i], labels[j]] = [b, a];
        for (let m = 0; m < n; m++) {
          const change = w[m * n + j]! - w[m * n + i]!;
          to[m * p + a]! += change;
          to[m * p + b]! -= change;
        }
        isLower = true;
      }
    }
  }
  return labels;
}

function cutOf(labels: readonly number[], w: Float64Array): number {
  const n = labels.length;
  let cut = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) if (labels[i] !== labels[j]) cut += w[i * n + j]!;
  return cut;
}
