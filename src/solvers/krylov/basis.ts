/** An orthonormal basis V that grows by blocks of b columns, in panels: tall matrices of some dozens of columns. */
import { EPS } from "../../arrays/scale.js";
import { orthonormalizer } from "../../linalg/qr.js";
import type { Engine, Small, Tall } from "../../types.js";

export interface KrylovBasis {
  /** columns so far; those of a panel beyond them are zero */
  readonly size: number;
  clear(): void;
  /** V ← [V, W] */
  append(W: Tall): void;
  /**
   * Y = V·H + Q·R: Q orthonormal and orthogonal to V, h the numbers of H (size×b), r those of R (b×b). Y is
   * overwritten. In a Krylov space Y has parts along the last two blocks and, after a restart, along the kept ones.
   * The former are taken away first; one pass of Gram–Schmidt over all of V then removes rounding only, and a second
   * one is made where the first has removed more.
   */
  split(Q: Tall, h: Float64Array, r: Float64Array, Y: Tall): void;
  /** Y ← V·S for the numbers s of S (size×cols), cols the columns of Y */
  times(Y: Tall, s: Float64Array): void;
  /** V ← V·S for S of size×k, k a multiple of b */
  rotate(s: Float64Array, k: number): void;
}

/** A pass that removes less than this part of Y leaves it orthogonal to rounding. */
const REMOVED = 0.01;
const PASSES = 4;
/** ‖R‖_F²/det R of a 2×2 factor, which bounds its condition number */
const SKEW = 8;

/** `w`: columns of a panel, a multiple of b */
export function krylovBasis(E: Engine, n: number, b: number, most: number, kept: number, w: number): KrylovBasis {
  const panels = (columns: number): Tall[] => Array.from({ length: Math.ceil(columns / w) }, () => E.tall(n, w));
  let [V, spare] = [panels(most), panels(kept)];
  const [H, R, gram, S, P] = [E.small(w, b), E.small(b, b), E.small(b, b), E.small(w, w), E.small(b, w)];
  const wide = new Map<number, Small>();
  const orthonormalize = orthonormalizer(E, n, b);
  const block = new Float64Array(w * b);
  const place = new Float64Array(b * w);
  const square = new Float64Array(w * w);
  /** copies of the last two blocks, the last one first; after a restart of those since then */
  const blocks = [E.tall(n, b), E.tall(n, b)];
  let recent: Tall[] = [];
  let size = 0;
  const used = (): number => Math.ceil(size / w);

  /** Y ← Y − V·(VᵀY), VᵀY added to h; returns ‖VᵀY‖² */
  function off(Y: Tall, h?: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < used(); i++) {
      E.tmul(H, V[i]!, Y);
      E.mul(Y, V[i]!, H, -1, 1);
      sum += sumOfSquares(E.read(H, block), w * b);
      if (h) addTo(h, block, i * w * b, Math.min(w, size - i * w) * b);
    }
    return sum;
  }

  /** Y = Q·R: by one Cholesky factorization where two columns are so far from parallel that it loses less than two digits */
  function factor(Q: Tall, Y: Tall): void {
    E.gram(gram, Y);
    if (b <= 2 && E.factor.cholesky(R, gram)) {
      const numbers = E.read(R);
      const determinant = numbers[0]! * numbers[b * b - 1]!;
      if (b === 1 || sumOfSquares(numbers, b * b) <= SKEW * determinant) {
        E.copy(Q, Y);
        E.factor.divide(Q, R);
        return;
      }
    }
    orthonormalize(Q, Y, R);
  }

  /** s, with `cols` columns: rows of panel i and columns from `first` on, as a small matrix */
  function piece(M: Small, numbers: Float64Array, s: Float64Array, cols: number, i: number, first: number): Small {
    const width = M.cols;
    numbers.fill(0);
    for (let r = i * w; r < Math.min(size, (i + 1) * w); r++) {
      for (let c = first; c < Math.min(cols, first + width); c++)
        numbers[(r - i * w) * width + c - first] = s[r * cols + c]!;
    }
    E.write(M, numbers);
    return M;
  }

  /** |r_kk|, the least */
  function smallest(r: Float64Array): number {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < b; k++) least = Math.min(least, Math.abs(r[k * (b + 1)]!));
    return least;
  }

  return {
    get size() {
      return size;
    },
    clear() {
      for (const panel of V) E.fill(panel, 0);
      size = 0;
      recent = [];
    },
    append(W) {
      place.fill(0);
      for (let k = 0; k < b; k++) place[k * w + (size % w) + k] = 1;
      E.write(P, place);
      E.mul(V[Math.floor(size / w)]!, W, P, 1, 1);
      size += b;
      const held = blocks[0]!;
      blocks.reverse();
      E.copy(held, W);
      recent = [held, ...recent].slice(0, 2);
    },
    split(Q, h, r, Y) {
      h.fill(0, 0, size * b);
      for (const [i, block] of recent.entries()) {
        E.tmul(R, block, Y);
        E.mul(Y, block, R, -1, 1);
        addTo(h, E.read(R, r), (size - b * (i + 1)) * b, b * b);
      }
      for (let pass = 0; pass < PASSES; pass++) if (off(Y, h) <= REMOVED ** 2 * E.dot(Y, Y)) break;
      factor(Q, Y);
      E.read(R, r);
      // directions that are rounding, or made up because none was left
      const lost = smallest(r) <= 1e-8 * Math.sqrt(sumOfSquares(h, size * b));
      for (let pass = 0; lost && pass < PASSES && off(Q) > b * (100 * EPS) ** 2; pass++) {
        E.copy(Y, Q);
        orthonormalize(Q, Y);
      }
    },
    times(Y, s) {
      const { cols } = Y;
      let M = wide.get(cols);
      if (!M) wide.set(cols, (M = E.small(w, cols)));
      const numbers = new Float64Array(w * cols);
      for (let i = 0; i < used(); i++) E.mul(Y, V[i]!, piece(M, numbers, s, cols, i, 0), 1, i === 0 ? 0 : 1);
    },
    rotate(s, k) {
      const count = Math.ceil(k / w);
      for (let j = 0; j < count; j++) {
        for (let i = 0; i < used(); i++) {
          E.mul(spare[j]!, V[i]!, piece(S, square, s, k, i, j * w), 1, i === 0 ? 0 : 1);
        }
      }
      const old = V.slice(0, count);
      V = [...spare.slice(0, count), ...V.slice(count)];
      spare = [...old, ...spare.slice(count)];
      for (const panel of V.slice(count)) E.fill(panel, 0);
      size = k;
      recent = [];
    },
  };
}

function addTo(h: Float64Array, numbers: Float64Array, at: number, count: number): void {
  for (let k = 0; k < count; k++) h[at + k]! += numbers[k]!;
}

function sumOfSquares(h: Float64Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += h[k]! ** 2;
  return sum;
}
