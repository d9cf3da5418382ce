import { growingCholesky } from "./growing-cholesky.js";

/** Largest |⟨s_i, y_j⟩ − ⟨s_j, y_i⟩| of two pairs of a block, both scaled to ⟨s, y⟩ = 1: 0 where f is quadratic */
const ASYMMETRY = 0.1;
/** Least pivot of M, scaled likewise, the newest pair first: below it a pair repeats those after it. */
const PIVOT = 0.1;

/** The newest pairs that one block update takes together */
export interface PairBlock {
  /** Pairs from here on are in the block. */
  readonly start: number;
  /** Makes the block of `size` pairs as large as it may be: the newest pair, then one older at a time. */
  form(size: number): void;
  /** r ← M⁻¹q for the block, M the upper triangle of ⟨s_i, y_j⟩ mirrored; r may be q */
  solve(r: Float64Array, q: Float64Array): void;
}

/** `most`: pairs of a block; one pair alone is left to the two loops. `t` and `dy`, ⟨D_i, y_j⟩ at i·width + j, are those of all pairs. */
export function pairBlock(most: number, t: Float64Array, dy: Float64Array, width: number): PairBlock {
  /** the newest pair first */
  const M = growingCholesky(most);
  const [entries, v] = [new Float64Array(width), new Float64Array(width)];
  let [start, end] = [0, 0];
  return {
    get start() {
      return start;
    },
    form(size) {
      M.clear();
      start = end = size;
      if (most > 1) while (start > 0 && M.size() < most && joins(start - 1)) start--;
    },
    solve(r, q) {
      if (start === end) return;
      for (let i = start; i < end; i++) v[end - 1 - i] = q[i]!;
      M.solve(v);
      for (let i = start; i < end; i++) r[i] = v[end - 1 - i]!;
    },
  };

  /** Adds pair i to the block of the pairs after it, if ⟨s_i, y_j⟩ and M admit it. */
  function joins(i: number): boolean {
    const own = t[i]! * dy[i * width + i]!;
    for (let j = i; j < end; j++) {
      const above = t[i]! * dy[i * width + j]!;
      const below = t[j]! * dy[j * width + i]!;
      if (!((above - below) ** 2 <= ASYMMETRY ** 2 * own * t[j]! * dy[j * width + j]!)) return false;
      entries[end - 1 - j] = above;
    }
    return M.grow(entries, PIVOT);
  }
}
