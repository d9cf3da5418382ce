/** Permutations with f and ∇f there, and exchanges of two rows while f falls */

/** labels: the column of the 1 of each row */
export interface Assigned {
  readonly labels: Int32Array;
  readonly f: number;
  readonly G: Float64Array;
}

export interface Swapped {
  readonly at: Assigned;
  readonly moves: number;
  /** swaps at the end, none of which lowers f, of all that there are */
  readonly tried: number;
  readonly all: number;
}

/** A decrease of f below this part of its size is none. */
const DECREASE = 1e-9;

/**
 * Swaps the columns of two rows while f falls, with `evaluate` at most `budget` times and until `isOver`: the pairs in the order of the
 * linear model G_i,b + G_k,a − G_i,a − G_k,b for rows i, k with columns a, b.
 */
export function swapRows(
  start: Assigned,
  evaluate: (labels: Int32Array) => Assigned,
  budget: number,
  isOver: () => boolean = () => false,
): Swapped {
  const n = start.labels.length;
  let at = start;
  let [moves, left] = [0, budget];
  for (;;) {
    const { labels, G } = at;
    const pairs: { i: number; k: number; change: number }[] = [];
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < i; k++) {
        const [a, b] = [labels[i]!, labels[k]!];
        pairs.push({ i, k, change: G[i * n + b]! + G[k * n + a]! - G[i * n + a]! - G[k * n + b]! });
      }
    }
    pairs.sort((x, y) => x.change - y.change);
    const limit = at.f - DECREASE * sizeOf(at);
    let tried = 0;
    let next: Assigned | undefined;
    for (const { i, k } of pairs) {
      if (left-- <= 0 || isOver()) break;
      tried++;
      const to = labels.slice();
      [to[i], to[k]] = [to[k]!, to[i]!];
      const trial = evaluate(to);
      if (trial.f < limit) next = trial;
      if (next) break;
    }
    if (!next) return { at, moves, tried, all: pairs.length };
    at = next;
    moves++;
  }
}

/** |f| with the terms of its linear model, which may cancel */
export function sizeOf({ labels, f, G }: Assigned): number {
  const n = labels.length;
  return labels.reduce((size, j, i) => size + Math.abs(G[i * n + j]!), Math.abs(f));
}
