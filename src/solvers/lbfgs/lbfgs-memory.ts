import type { Space } from "../../space.js";
import type { Tall } from "../../types.js";
import type { TrialRay } from "../ray.js";
import type { FirstMatrix, Pair } from "./first-matrix.js";

export interface LbfgsMemory {
  /** pairs in use */
  readonly size: number;
  /** ‖D‖ of the last direction is at most this; known where sums are foreseen, else infinite */
  readonly reach: number;
  /** Asks for the sums that `update` will need of the trial point. */
  foresee(ray: TrialRay): void;
  /** y of the trial point, ahead of `update`. Takes an n×p matrix more. */
  change(ray: TrialRay): Tall;
  /** The ray's D ← −H·G, returns ⟨G, D⟩; Xt, which is free until the next trial point, is overwritten. */
  direction(ray: TrialRay, first: FirstMatrix): number;
  /**
   * The pair of the step that `ray` has just accepted, stored if ⟨s, y⟩ > threshold. The ray's D and Gt, where y is formed, become the
   * memory's, and the ray gets others.
   */
  update(ray: TrialRay, dd: number, threshold: number): Pair & { gg: number; stored: boolean };
  clear(): void;
  /** To be called where gradients may change without `update`. */
  restart(): void;
  /** Moves what is stored to another tangent space. */
  transport(move: (Z: Tall) => void): void;
}

/**
 * Limited-memory BFGS. With the last pairs s_i = t_i·D_i and y_i, oldest first, the two-loop recursion (Nocedal and Wright, Alg. 7.4) is
 *
 *     a_i = ⟨s_i, q⟩/⟨s_i, y_i⟩,  q ← q − a_i·y_i   from the newest pair to the oldest, q = g at first,
 *     R = H₀·q,
 *     r ← r + (a_i − ⟨y_i, r⟩/⟨s_i, y_i⟩)·s_i       from the oldest to the newest, r = R at first,     D = −r.
 *
 * It runs on inner products ⟨D_i, y_j⟩, ⟨D_i, g⟩ and ⟨y_i, R⟩, so that n×p matrices are read three times:
 *
 *     q = g − Σ a_i·y_i,  R = H₀·q;      ⟨y_i, R⟩, D = −R + Σ ω_i·D_i;      ⟨D_i, g⟩ at the next point.
 *
 * The products with a new y are differences of those with two gradients. Holds 2·capacity n×p matrices.
 */
export function lbfgsMemory(E: Space, n: number, p: number, capacity: number): LbfgsMemory {
  const foresees = E.foresee !== undefined || E.ranks !== undefined;
  const matrices = (): Tall[] => Array.from({ length: capacity }, () => E.tall(n, p));
  const [Ds, ys] = [matrices(), matrices()];
  const t = new Float64Array(capacity);
  /** dy[i·capacity + j] = ⟨D_i, y_j⟩ for i ≤ j */
  const dy = new Float64Array(capacity * capacity);
  /** ⟨D_i, g⟩ for the gradient `latest` */
  const dg = new Float64Array(capacity + 2);
  let latest: Tall | undefined;
  const [column, before] = [new Float64Array(capacity + 2), new Float64Array(capacity + 2)];
  const [a, omega] = [new Float64Array(capacity + 1), new Float64Array(capacity)];
  let size = 0;
  /** ‖D_i‖, for `reach` */
  const lengths = new Float64Array(capacity);
  let reach = Number.POSITIVE_INFINITY;
  /** y of a trial, and of which */
  let Y: Tall | undefined;
  let changed: Pick<TrialRay, "t" | "D"> | undefined;

  /** Of a full memory the oldest pair goes when the next one comes: its products are not asked for. */
  const oldest = (): number => (size === capacity && capacity > 0 ? 1 : 0);

  /** Drops the oldest pair; its matrices come last, to be used again. */
  function forgetOldest(): void {
    Ds.push(Ds.shift()!);
    ys.push(ys.shift()!);
    t.copyWithin(0, 1);
    lengths.copyWithin(0, 1);
    dy.copyWithin(0, capacity + 1);
    dg.copyWithin(0, 1);
    column.copyWithin(0, 1);
    size--;
  }

  function store(ray: TrialRay, dd: number): void {
    if (size === capacity) forgetOldest();
    lengths[size] = Math.sqrt(dd);
    t[size] = ray.t;
    for (let i = 0; i <= size; i++) dy[i * capacity + size] = column[i]!;
    [Ds[size], ray.D] = [ray.D, Ds[size]!];
    [ys[size], ray.Gt] = [ray.Gt, ys[size]!];
    size++;
  }

  return {
    get size() {
      return size;
    },
    get reach() {
      return reach;
    },
    foresee({ D, Gt }) {
      const list = [...Ds.slice(oldest(), size), D, Gt];
      E.dots(column, list, list.length, Gt);
    },
    change({ t, D, G, Gt }) {
      Y ??= E.tall(n, p);
      E.combine(Y, 1, Gt, -1, G);
      changed = { t, D };
      return Y;
    },
    clear() {
      size = 0;
    },
    restart() {
      latest = undefined;
    },

    direction({ D, G, X, Xt: q }, first) {
      if (latest !== G) E.dots(dg, Ds, size, G);
      latest = G;
      changed = undefined;
      for (let i = size - 1; i >= 0; i--) {
        let dq = dg[i]!;
        for (let j = i + 1; j < size; j++) dq += a[j]! * dy[i * capacity + j]!;
        // the coefficient −a_i of y_i in q
        a[i] = -dq / dy[i * (capacity + 1)]!;
      }
      a[size] = 1;
      const list = [...ys.slice(0, size), G];
      const { multiple } = first;
      // R = c·q where H₀ = c·I: then D holds q, and c is measured with its products
      E.combination(multiple ? D : q, a, list, size + 1);
      if (!multiple) first.apply(D, X, q);
      // with ⟨R, R⟩, where ‖D‖ itself would take another wait
      if (foresees) list.push(D);
      const newest = ys[size - 1];
      if (newest) E.foresee?.(() => E.dot(newest, newest));
      E.dots(column, list, list.length, D);
      const c = multiple?.() ?? 1;
      for (let i = 0; i < list.length; i++) column[i] = column[i]! * c;
      let slope = -column[size]!;
      if (foresees) reach = Math.sqrt(c * column[size + 1]!);
      for (let i = 0; i < size; i++) {
        let yr = column[i]!;
        for (let j = 0; j < i; j++) yr -= omega[j]! * dy[j * capacity + i]!;
        omega[i] = a[i]! * t[i]! + yr / dy[i * (capacity + 1)]!;
        slope += omega[i]! * dg[i]!;
        reach += Math.abs(omega[i]!) * lengths[i]!;
      }
      E.combination(D, omega, Ds, size, -c);
      return slope;
    },

    update(ray, dd, threshold) {
      const { t, D, G, Gt } = ray;
      before.set(dg);
      before[size] = ray.slope0;
      // the old gradient, where the products are known and no transport has changed it
      const known = latest === Gt;
      if (changed?.D === D && changed.t === t) [ray.Gt, Y] = [Y!, Gt];
      else E.combine(Gt, 1, G, -1, Gt);
      const y = ray.Gt;
      changed = undefined;
      const first = oldest();
      const list = [...Ds.slice(first, size), D, G];
      E.dots(dg.subarray(first), list, list.length, G);
      const gg = dg[size + 1]!;
      if (known) for (let i = first; i <= size; i++) column[i] = dg[i]! - before[i]!;
      else E.dots(column.subarray(first), list, list.length - 1, y);
      const dy = column[size]!;
      const stored = t * dy > threshold;
      const pair = { t, D, y, dd, dy, gg, stored };
      if (stored) store(ray, dd);
      // the products with the oldest D are missing where it stays
      latest = stored || first === 0 ? G : undefined;
      return pair;
    },

    transport(move) {
      latest = undefined;
      for (let j = 0; j < size; j++) {
        move(Ds[j]!);
        move(ys[j]!);
        E.dots(column, Ds, j + 1, ys[j]!);
        for (let i = 0; i <= j; i++) dy[i * capacity + j] = column[i]!;
      }
    },
  };
}
