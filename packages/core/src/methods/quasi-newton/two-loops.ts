import { type PairBlock, pairBlock } from "./pair-block.js";

/** Relative margin of a radius: a step at the bound is as long as that, and roundoff must not decide whether it is longer. */
const FAR = 1 + 1e-9;

/** The two-loop recursion of stored pairs s_i = t_i·D_i, y_i, on their inner products alone; oldest pair first */
export interface TwoLoops {
  /** pairs */
  readonly size: number;
  /** the newest of them, for one block update */
  readonly newest: PairBlock;
  /** ⟨D_i, g⟩ */
  readonly dg: Float64Array;
  /** ⟨y_i, R⟩ and ⟨g, R⟩, then ⟨R, R⟩ where a bound is wanted, with R = H₀·q: to be written between the loops */
  readonly b: Float64Array;
  /** coefficients: after the first loop those of y_i and g in q, after the second those of D_i in D, beside −R */
  readonly c: Float64Array;
  first(): void;
  second(): void;
  /** ⟨g, D⟩ and a bound of ‖D‖ after the second loop */
  slope(): number;
  bound(): number;
  /**
   * Adds the pair of the step t along the last D, whose products with y are ⟨D_i, y⟩ and, after them, ⟨D, y⟩; `inPlaceOfOldest` drops the
   * oldest one.
   */
  add(t: number, length: number, dy: Float64Array, inPlaceOfOldest: boolean): void;
  /** ⟨D_i, y_j⟩ ← products_i for the first `count` i */
  replace(j: number, products: Float64Array, count: number): void;
  /** To be called after `add`, `drop` and `replace`. */
  form(): void;
  /** Drops the oldest pairs. */
  drop(count: number): void;
  /** The number of pairs from which the steps after them have led further than this */
  beyond(radius: number): number;
}

/** `block`: pairs of the block update (pair-block.ts) */
export function twoLoops(capacity: number, block: number): TwoLoops {
  const row = (): Float64Array => new Float64Array(capacity + 2);
  const [t, a, c, b, dg] = [row(), row(), row(), row(), row()];
  /** ‖D_i‖ */
  const lengths = row();
  /** ⟨D_i, y_j⟩ at i·width + j, below the diagonal for blocks alone */
  const width = capacity + 1;
  const dy = new Float64Array(capacity * width);
  const newest = pairBlock(block, t, dy, width);
  let size = 0;

  /** D ← D − coefficient·D_i, in its products with y_j; after all of them b_j = −⟨D, y_j⟩ */
  function addPair(i: number, coefficient: number): void {
    const at = i * width;
    for (let j = 0; j < size; j++) b[j]! -= coefficient * dy[at + j]!;
    c[i] = coefficient;
  }

  function drop(count: number): void {
    dy.copyWithin(0, count * (width + 1));
    t.copyWithin(0, count);
    lengths.copyWithin(0, count);
    dg.copyWithin(0, count);
    b.copyWithin(0, count);
    size -= count;
  }

  return {
    get size() {
      return size;
    },
    newest,
    dg,
    b,
    c,
    first() {
      const { start } = newest;
      for (let i = start; i < size; i++) a[i] = t[i]! * dg[i]!;
      newest.solve(a, a);
      for (let i = start - 1; i >= 0; i--) {
        const at = i * width;
        let dq = dg[i]!;
        for (let j = i + 1; j < size; j++) dq -= a[j]! * dy[at + j]!;
        a[i] = dq / dy[at + i]!;
      }
      for (let i = 0; i < size; i++) c[i] = -a[i]!;
      c[size] = 1;
    },
    second() {
      const { start } = newest;
      for (let i = 0; i < start; i++) addPair(i, b[i]! / dy[i * width + i]! - a[i]! * t[i]!);
      newest.solve(c, b);
      for (let i = start; i < size; i++) addPair(i, t[i]! * (c[i]! - a[i]!));
    },
    slope() {
      let slope = -b[size]!;
      for (let i = 0; i < size; i++) slope += c[i]! * dg[i]!;
      return slope;
    },
    bound() {
      let bound = Math.sqrt(b[size + 1]!);
      for (let i = 0; i < size; i++) bound += Math.abs(c[i]!) * lengths[i]!;
      return bound;
    },
    add(step, length, products, inPlaceOfOldest) {
      for (let i = 0; i < size; i++) dy[i * width + size] = products[i]!;
      const own = products[size]!;
      if (inPlaceOfOldest) drop(1);
      for (let j = 0; j < size; j++) dy[size * width + j] = -b[j]!;
      dy[size * width + size] = own;
      t[size] = step;
      lengths[size] = length;
      size++;
    },
    replace(j, products, count) {
      for (let i = 0; i < count; i++) dy[i * width + j] = products[i]!;
    },
    form() {
      newest.form(size);
    },
    drop,
    beyond(radius) {
      let way = 0;
      let i = size - 1;
      for (; i > 0; i--) {
        way += t[i]! * lengths[i]!;
        if (!(way <= FAR * radius)) break;
      }
      return i;
    },
  };
}
