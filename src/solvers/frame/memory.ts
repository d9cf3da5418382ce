import type { Frame, Tangent } from "./frame.js";
import { growingFactor } from "./small-definite.js";

/** R ← H₀·Q */
export type ApplyFirst = (R: Tangent, Q: Tangent) => void;

/** A step s = t·D and the change y of the gradient along it. */
export interface FramePair {
  readonly t: number;
  readonly D: Tangent;
  readonly y: Tangent;
  /** ⟨s, y⟩ */
  readonly sy: number;
  /** ⟨g, g⟩ of the new gradient */
  readonly gg: number;
  /** a vector for the next direction: the memory may have kept D */
  readonly free: Tangent;
}

export interface FrameMemory {
  size(): number;
  /** ‖D‖ of the last direction is at most this; known where sums over rows are messages, else infinite */
  reach(): number;
  /** D ← −H·g for the newest gradient; returns ⟨g, D⟩ */
  descend(D: Tangent, g: Tangent, H0: ApplyFirst): number;
  /** y = gNew − g, in a vector that `push` may keep and `descend` overwrites */
  change(g: Tangent, gNew: Tangent): Tangent;
  /** ⟨D, gNew⟩, and with it all that `push` will need of a trial point. */
  meet(D: Tangent, gNew: Tangent): number;
  /**
   * The step t along the last D, of this length, led to the gradient that was met last, with the last `change`. The pair is kept where
   * ⟨s, y⟩ > 0; all are forgotten where not, and those from far away.
   */
  push(t: number, D: Tangent, length: number): FramePair;
  clear(): void;
}

/** ⟨s_i, y_j⟩ of the pairs of a block, scaled to 1 on its diagonal, may differ so much from ⟨s_j, y_i⟩. */
const ASYMMETRY = 0.1;
/** Pairs of a block at most: older ones come from where f was another, and are better taken one by one. */
const BLOCK = 8;
/** The least pivot of that matrix, the newest pair first: a pair with less says nearly the same as those after it. */
const PIVOT = 0.1;
/** A step at the cap is as long as X, and rounding must not decide whether it is longer. */
const FAR = 1 + 1e-9;

/**
 * The pairs of limited-memory BFGS and its two loops (Nocedal and Wright, Alg. 7.4), the newest pairs taken together: where M = SᵀY of the
 * newest is nearly symmetric, as it is where f is nearly quadratic, one block update with M in the place of ⟨s, y⟩,
 *
 *     H = (I − S·M⁻¹Yᵀ)·H'·(I − Y·M⁻¹Sᵀ) + S·M⁻¹Sᵀ,
 *
 * meets the secant equations of all of them, not of the newest alone. [Schnabel, Quasi-Newton methods using multiple secant equations,
 * 1983.] Of M the upper triangle is taken: what the newer gradients say. As in lbfgs-memory.ts the loops run on inner products:
 *
 *     q = g − Σ a_i·y_i,  R = H₀·q;      ⟨y_i, R⟩, D = −R − Σ c_i·D_i;      ⟨D_i, g⟩ at the next point,
 *
 * and ⟨D_i, y_j⟩ follow from these. Holds 2·capacity + 1 tangent vectors.
 */
export function frameMemory(fr: Frame, capacity: number): FrameMemory {
  const tangents = (): Tangent[] => Array.from({ length: capacity }, () => fr.tangent());
  /** the oldest first; those from `size` on are free */
  const [Ds, ys] = [tangents(), tangents()];
  /** q of the first loop, then y of the step */
  let Q = fr.tangent();
  /** what the frame is asked about: some of Ds or of ys, and the last one or two vectors */
  const list: Tangent[] = [];
  const row = (): Float64Array => new Float64Array(capacity + 2);
  const [t, a, c, fresh] = [row(), row(), row(), row()];
  /** ‖D_i‖ */
  const lengths = row();
  let reach = Number.POSITIVE_INFINITY;
  /** ⟨D_i, g⟩ of the newest gradient */
  const dg = row();
  /** ⟨D_i, y_j⟩ at i·width + j, and for the D of the last `descend` −⟨D, y_j⟩ and ⟨D, g⟩ */
  const width = capacity + 1;
  const dy = new Float64Array(capacity * width);
  const b = row();
  let slope = Number.NaN;
  let size = 0;
  /** of M = ⟨s_i, y_j⟩ of the block, the pairs size − 1 … `first`, the newest first */
  const M = growingFactor(BLOCK);
  const [numbers, v] = [row(), row()];
  let first = 0;

  return { size: () => size, reach: () => reach, descend, change, meet, push, clear };

  function descend(D: Tangent, g: Tangent, H0: ApplyFirst): number {
    for (let i = first; i < size; i++) a[i] = t[i]! * dg[i]!;
    solve(a, a);
    for (let i = first - 1; i >= 0; i--) {
      const at = i * width;
      let dq = dg[i]!;
      for (let j = i + 1; j < size; j++) dq -= a[j]! * dy[at + j]!;
      a[i] = dq / dy[at + i]!;
    }
    for (let i = 0; i < size; i++) c[i] = -a[i]!;
    c[size] = 1;
    asked(ys, g, D);
    fr.combination(Q, c, list, size + 1);
    H0(D, Q);
    // with ⟨R, R⟩, where ‖D‖ itself would take a message more
    fr.inners(b, list, fr.spread ? size + 2 : size + 1, D);
    let [steepness, bound] = [-b[size]!, Math.sqrt(b[size + 1]!)];
    for (let i = 0; i < first; i++) settle(i, b[i]! / dy[i * width + i]! - a[i]! * t[i]!);
    solve(c, b);
    for (let i = first; i < size; i++) settle(i, t[i]! * (c[i]! - a[i]!));
    for (let i = 0; i < size; i++) {
      steepness += c[i]! * dg[i]!;
      bound += Math.abs(c[i]!) * lengths[i]!;
    }
    fr.combination(D, c, Ds, size, -1);
    if (fr.spread) reach = bound;
    slope = steepness;
    return slope;
  }

  /** D ← D + value·D_i, in its products with y_j and in what is to be added to it */
  function settle(i: number, value: number): void {
    const at = i * width;
    for (let j = 0; j < size; j++) b[j]! -= value * dy[at + j]!;
    c[i] = value;
  }

  /** list ← those in use, A and B */
  function asked(those: readonly Tangent[], A: Tangent, B: Tangent): void {
    for (let i = 0; i < size; i++) list[i] = those[i]!;
    list[size] = A;
    list[size + 1] = B;
  }

  function change(g: Tangent, gNew: Tangent): Tangent {
    fr.combine(Q, 1, gNew, -1, g);
    return Q;
  }

  function meet(D: Tangent, gNew: Tangent): number {
    asked(Ds, D, gNew);
    fr.inners(fresh, list, size + 2, gNew);
    return fresh[size]!;
  }

  function push(step: number, D: Tangent, length: number): FramePair {
    const [dNew, gg] = [fresh[size]!, fresh[size + 1]!];
    const pair = { t: step, D, y: Q, sy: step * (dNew - slope), gg, free: D };
    if (!(pair.sy > 0)) {
      clear();
      return pair;
    }
    for (let i = 0; i < size; i++) dy[i * width + size] = fresh[i]! - dg[i]!;
    dg.set(fresh);
    if (size === capacity) forget(1);
    pair.free = Ds[size]!;
    Ds[size] = D;
    Q = ys[size]!;
    ys[size] = pair.y;
    t[size] = step;
    lengths[size] = length;
    for (let j = 0; j < size; j++) dy[size * width + j] = -b[j]!;
    dy[size * width + size] = dNew - slope;
    size++;
    forgetFarAway();
    join();
    return pair;
  }

  /** What was measured further back than X is long says little of f here. */
  function forgetFarAway(): void {
    let way = 0;
    let i = size - 1;
    for (; i > 0; i--) {
      way += t[i]! * lengths[i]!;
      if (!(way <= FAR * fr.reach)) break;
    }
    forget(i);
  }

  /** The oldest ones; their vectors come last, to be used again. */
  function forget(count: number): void {
    if (count === 0) return;
    for (let k = 0; k < count; k++) {
      Ds.push(Ds.shift()!);
      ys.push(ys.shift()!);
    }
    dy.copyWithin(0, count * (width + 1));
    t.copyWithin(0, count);
    lengths.copyWithin(0, count);
    dg.copyWithin(0, count);
    b.copyWithin(0, count);
    size -= count;
  }

  function clear(): void {
    size = 0;
    join();
  }

  /** Of the block: r ← M⁻¹q */
  function solve(r: Float64Array, q: Float64Array): void {
    for (let i = first; i < size; i++) v[size - 1 - i] = q[i]!;
    M.solve(v);
    for (let i = first; i < size; i++) r[i] = v[size - 1 - i]!;
  }

  /** Makes the block as large as it may be: the newest pair, then one older at a time. */
  function join(): void {
    M.clear();
    for (first = size; first > 0 && M.size() < BLOCK && admits(first - 1); ) first--;
  }

  /** May pair i join the block of the pairs after it? Then M has a row and a column more. */
  function admits(i: number): boolean {
    const own = t[i]! * dy[i * width + i]!;
    for (let j = i; j < size; j++) {
      const above = t[i]! * dy[i * width + j]!;
      const below = t[j]! * dy[j * width + i]!;
      if (!((above - below) ** 2 <= ASYMMETRY ** 2 * own * t[j]! * dy[j * width + j]!)) return false;
      numbers[size - 1 - j] = above;
    }
    return M.grow(numbers, PIVOT);
  }
}
