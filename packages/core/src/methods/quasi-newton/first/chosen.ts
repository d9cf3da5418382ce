import type { Vectors } from "../../vectors.js";
import { growingCholesky } from "../growing-cholesky.js";
import type { FirstMatrix } from "./first-matrix.js";
import { lazyNumber } from "./lazy-number.js";

/**
 * Steps between two comparisons. Comparisons at every fifth step take 2 % fewer evaluations on clusters, and 3 to 4 % more flops in the
 * mean of all functions (docs/decisions/0019).
 */
const EVERY = 15;
/** Pairs that are compared, at least */
const FEWEST = 6;
/** Weight of earlier comparisons against a new one */
const DECAY = 0.7;
/** Mean difference of κ from which the other matrix is taken */
const HYSTERESIS = 0.03;

/**
 * The learned first matrix H, or γI with γ = ⟨s, y⟩/⟨y, y⟩, whichever conditions the Hessian better as far as the newest pairs see it. The
 * generalized eigenvalues λ of (YᵀHY, SᵀY) are harmonic Ritz values of H½·∇²f·H½. They agree where Kaporin's number
 *
 *     κ(H) = log mean λ − mean log λ ≥ 0
 *
 * is 0; it does not depend on the size of H [Kaporin, Numer. Linear Algebra Appl. 1, 1994]. No single pair shows what is wrong with H where
 * a column has flat directions: long steps along them make its curvature too small for all others. H goes on learning while γI is in use.
 * `most`: pairs of a block update
 */
export function chosenFirstMatrix<V>(vectors: Vectors<V>, adaptive: FirstMatrix<V>, most: number): FirstMatrix<V> {
  const plain = lazyNumber(1);
  /** lower triangles, row by row, `most` places a row: ⟨y_j, y_i⟩, and then ⟨y_j, H·y_i⟩ */
  const products = vectors.sums(2 * most * most);
  const ofLearned = most * most;
  const factor = growingCholesky(most);
  const row = new Float64Array(most);
  let column = new Float64Array(0);
  let isPlain = false;
  let steps = 0;
  /** decayed mean of κ(H) − κ(I) */
  let excess = 0;
  return {
    get scaled() {
      return adaptive.scaled;
    },
    get multiple() {
      return isPlain ? plain : adaptive.multiple;
    },
    apply: adaptive.apply,
    ...(adaptive.prepare && { prepare: adaptive.prepare }),
    learn(X, pair) {
      adaptive.learn(X, pair);
      if (pair && pair.dy > 0) plain.set((yy = vectors.inner(pair.y, pair.y)) => (pair.t * pair.dy) / yy);
    },
    compare(X, newest, scratch) {
      if (!adaptive.scaled || ++steps % EVERY !== 0) return;
      const { start, ys, solve } = newest();
      const count = ys.length;
      if (count < FEWEST) return;
      for (let i = 0; i < count; i++) {
        products.inners(i * most, ys, i + 1, ys[i]!);
        adaptive.apply(scratch, X, ys[i]!);
        products.inners(ofLearned + i * most, ys, i + 1, scratch);
      }
      products.arrive();
      if (column.length < start + count) column = new Float64Array(start + count);
      const difference = kaporin(ofLearned) - kaporin(0);
      if (!Number.isFinite(difference)) return;
      excess = DECAY * excess + (1 - DECAY) * difference;
      if (Math.abs(excess) > HYSTERESIS) isPlain = excess > 0;

      /** κ of the products from `from` on, up to a number that is the same for all H; NaN where roundoff makes them indefinite */
      function kaporin(from: number): number {
        factor.clear();
        let trace = 0;
        for (let i = 0; i < count; i++) {
          for (let j = 0; j <= i; j++) row[j] = products.at[from + i * most + j]!;
          if (!factor.grow(row, 0)) return Number.NaN;
          for (let j = 0; j < count; j++)
            column[start + j] = products.at[from + Math.max(i, j) * most + Math.min(i, j)]!;
          solve(column, column);
          trace += column[start + i]!;
        }
        return Math.log(trace) - factor.logDeterminant() / count;
      }
    },
    forget() {
      isPlain = false;
      steps = excess = 0;
      return adaptive.forget();
    },
  };
}
