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
  /** Asks for the sums that `push` will need. */
  foresee(D: Tangent, gNew: Tangent): void;
  /**
   * The step t along the last D, of this length, led to the gradient gNew, with the last `change`. The pair is kept where ⟨s, y⟩ > 0; all
   * are forgotten where not, and those from far away.
   */
  push(t: number, D: Tangent, length: number, gNew: Tangent): FramePair;
  clear(): void;
}

/** ⟨s_i, y_j⟩ of the pairs of a block, scaled to 1 on its diagonal, may differ so much from ⟨s_j, y_i⟩. */
const ASYMMETRY = 0.1;
/** The least pivot of that matrix, the newest pair first: a pair with less says nearly the same as those after it. */
const PIVOT = 0.1;

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
  const row = (): Float64Array => new Float64Array(capacity + 2);
  const [t, a, b, c, fresh] = [row(), row(), row(), row(), row()];
  /** ‖D_i‖ */
  const lengths = row();
  let reach = Number.POSITIVE_INFINITY;
  /** ⟨D_i, g⟩ of the newest gradient */
  const dg = row();
  /** ⟨D_i, y_j⟩, and for the D of the last `descend` ⟨D, y_j⟩ and ⟨D, g⟩ */
  const dy = Array.from({ length: capacity }, row);
  const last = row();
  let slope = Number.NaN;
  let size = 0;
  /** of M = ⟨s_i, y_j⟩ of the block, the pairs size − 1 … `first`, the newest first */
  const M = growingFactor(capacity);
  const [numbers, v] = [row(), row()];
  let first = 0;

  return { size: () => size, reach: () => reach, descend, change, foresee, push, clear };

  function descend(D: Tangent, g: Tangent, H0: ApplyFirst): number {
    for (let i = first; i < size; i++) a[i] = t[i]! * dg[i]!;
    solve(a);
    for (let i = first - 1; i >= 0; i--) {
      let dq = dg[i]!;
      for (let j = i + 1; j < size; j++) dq -= a[j]! * dy[i]![j]!;
      a[i] = dq / dy[i]![i]!;
    }
    const list = [...ys.slice(0, size), g];
    for (let i = 0; i < size; i++) c[i] = -a[i]!;
    c[size] = 1;
    fr.combination(Q, c, list);
    H0(D, Q);
    // with ⟨R, R⟩, where ‖D‖ itself would take a message more
    if (fr.spread) list.push(D);
    fr.inners(b, list, D);
    slope = -b[size]!;
    if (fr.spread) reach = Math.sqrt(b[size + 1]!);
    for (let j = 0; j < size; j++) last[j] = -b[j]!;
    for (let i = 0; i < first; i++) correct(i, a[i]! * t[i]! - b[i]! / dy[i]![i]!);
    solve(b);
    for (let i = first; i < size; i++) c[i] = t[i]! * (a[i]! - b[i]!);
    for (let i = first; i < size; i++) settle(i);
    for (let i = 0; i < size; i++) reach += Math.abs(c[i]!) * lengths[i]!;
    for (let i = 0; i < size; i++) c[i] = -c[i]!;
    fr.combination(D, c, Ds.slice(0, size), -1);
    return slope;
  }

  /** r ← r + c·D_i in ⟨y_j, r⟩, and settled */
  function correct(i: number, value: number): void {
    c[i] = value;
    for (let j = 0; j < size; j++) b[j]! += value * dy[i]![j]!;
    settle(i);
  }

  /** D ← D − c_i·D_i in its products */
  function settle(i: number): void {
    slope -= c[i]! * dg[i]!;
    for (let j = 0; j < size; j++) last[j]! -= c[i]! * dy[i]![j]!;
  }

  function change(g: Tangent, gNew: Tangent): Tangent {
    fr.combine(Q, 1, gNew, -1, g);
    return Q;
  }

  function foresee(D: Tangent, gNew: Tangent): void {
    fr.inners(fresh, [...Ds.slice(0, size), D, gNew], gNew);
  }

  function push(step: number, D: Tangent, length: number, gNew: Tangent): FramePair {
    fr.inners(fresh, [...Ds.slice(0, size), D, gNew], gNew);
    const [dNew, gg] = [fresh[size]!, fresh[size + 1]!];
    const sy = step * (dNew - slope);
    const pair = { t: step, D, y: Q, sy, gg };
    if (!(sy > 0)) {
      clear();
      return { ...pair, free: D };
    }
    for (let i = 0; i < size; i++) dy[i]![size] = fresh[i]! - dg[i]!;
    dg.set(fresh.subarray(0, size + 1));
    if (size === capacity) forgetOldest();
    const free = Ds[size]!;
    [Ds[size], t[size], lengths[size]] = [D, step, length];
    [ys[size], Q] = [Q, ys[size]!];
    dy[size]!.set(last.subarray(0, size));
    dy[size]![size] = dNew - slope;
    size++;
    forgetFarAway();
    join();
    return { ...pair, free };
  }

  /** What was measured further back than X is long says little of f here. */
  function forgetFarAway(): void {
    let way = 0;
    let i = size - 1;
    while (i > 0 && way + t[i]! * lengths[i]! <= fr.reach) {
      way += t[i]! * lengths[i]!;
      i--;
    }
    for (; i > 0; i--) forgetOldest();
  }

  function forgetOldest(): void {
    Ds.push(Ds.shift()!);
    ys.push(ys.shift()!);
    dy.push(dy.shift()!);
    for (const products of [...dy, t, lengths, dg, last]) products.copyWithin(0, 1);
    size--;
  }

  function clear(): void {
    size = 0;
    join();
  }

  /** Of the block: r ← M⁻¹r */
  function solve(r: Float64Array): void {
    for (let i = first; i < size; i++) v[size - 1 - i] = r[i]!;
    M.solve(v);
    for (let i = first; i < size; i++) r[i] = v[size - 1 - i]!;
  }

  /** Makes the block as large as it may be: the newest pair, then one older at a time. */
  function join(): void {
    M.clear();
    for (first = size; first > 0 && admits(first - 1); ) first--;
  }

  /** May pair i join the block of the pairs after it? Then M has a row and a column more. */
  function admits(i: number): boolean {
    const own = t[i]! * dy[i]![i]!;
    for (let j = i; j < size; j++) {
      const [above, below] = [t[i]! * dy[i]![j]!, t[j]! * dy[j]![i]!];
      const scale = Math.sqrt(own * t[j]! * dy[j]![j]!);
      if (!(Math.abs(above - below) <= ASYMMETRY * scale)) return false;
      numbers[size - 1 - j] = above;
    }
    return M.grow(numbers, PIVOT);
  }
}
