import type { RayIn } from "../../contracts/ray.js";
import type { Vectors } from "../vectors.js";
import type { CurvaturePairs, PairOptions, UpdatedPair } from "./curvature-pairs.js";
import type { FirstMatrix, NewestPairs } from "./first/first-matrix.js";
import { twoLoops } from "./two-loops.js";

/**
 * The curvature pairs s_i = t_i·D_i, y_i of limited-memory BFGS, oldest first, and the directions they make. With the first matrix H₀ the
 * two-loop recursion (Nocedal and Wright, Alg. 7.4) is
 *
 *     a_i = ⟨s_i, q⟩/⟨s_i, y_i⟩,  q ← q − a_i·y_i   from the newest pair to the oldest, q = g at first,
 *     r = H₀·q,
 *     r ← r + (a_i − ⟨y_i, r⟩/⟨s_i, y_i⟩)·s_i       from the oldest to the newest,     D = −r.
 *
 * The newest pairs may be taken together: where M = SᵀY of them is nearly symmetric, as it is where f is nearly quadratic, one block update
 *
 *     H = (I − S·M⁻¹Yᵀ)·H'·(I − Y·M⁻¹Sᵀ) + S·M⁻¹Sᵀ
 *
 * meets the secant equations of all of them, not of the newest alone [Schnabel, Quasi-Newton methods using multiple secant equations,
 * 1983]. Of M the upper triangle is taken, the products with the newer gradients.
 *
 * Both run on inner products, so that vectors are read three times:
 *
 *     q = g − Σ a_i·y_i,  R = H₀·q;      ⟨y_i, R⟩, D = −R + Σ c_i·D_i;      ⟨D_i, g⟩ at the next trial point.
 *
 * ⟨D_i, y⟩ of a new y are differences of products with two gradients. Holds 2·capacity vectors, and one more where `change` is called.
 */
export function curvaturePairs<V>(
  vectors: Vectors<V>,
  capacity: number,
  { block = 1, radius = Number.POSITIVE_INFINITY, growth }: PairOptions = {},
): CurvaturePairs<V> {
  const many = (): V[] => Array.from({ length: capacity }, () => vectors.make());
  /** the oldest first; those from `loops.size` on are free */
  const [Ds, ys] = [many(), many()];
  const loops = twoLoops(capacity, block);
  const { dg, b, c } = loops;
  /** operands of `inners` and `combination`, written at each use */
  const list: V[] = [];
  let bound = Number.POSITIVE_INFINITY;
  /** the gradient that `dg` belongs to */
  let latest: V | undefined;
  /** ⟨D_i, g⟩, ⟨D, g⟩, ⟨g, g⟩ of a new gradient, and ⟨D_i, y⟩, ⟨D, y⟩; the second of each begins with the second oldest pair */
  const ofTrial = vectors.sums(capacity + 2);
  const [fresh, freshY] = [ofTrial.at, new Float64Array(capacity + 2)];
  const freshYNewer = freshY.subarray(1);
  /** ⟨y, y⟩ of the newest pair, and then `b` */
  const ofDirection = vectors.sums(capacity + 3);
  /** the trial points that `fresh` and `ahead`, its y, belong to */
  const measured = { G: undefined as V | undefined, t: Number.NaN };
  const changed = { D: undefined as V | undefined, t: Number.NaN };
  let ahead: V | undefined;
  /** pairs that were ever stored */
  let everStored = 0;

  return {
    get size() {
      return loops.size;
    },
    get bound() {
      return bound;
    },
    direction,
    change,
    trialProducts,
    update,
    newest,
    clear() {
      loops.drop(loops.size);
      loops.form();
    },
    restart() {
      latest = undefined;
    },
    transport,
  };

  function direction({ D, G, Gt, X }: RayIn<V>, first: FirstMatrix<V>): number {
    const { size } = loops;
    if (latest !== G) vectors.inners(dg, Ds, size, G);
    latest = G;
    measured.G = changed.D = undefined;
    loops.first();
    collect(ys, 0, G, D);
    const { multiple } = first;
    // R = γ·q where H₀ = γ·I: then D holds q, and γ is measured with its products
    const q = multiple ? D : Gt;
    vectors.combination(q, c, list, size + 1);
    if (!multiple) first.apply(D, X, q);
    let yy: number | undefined;
    if (vectors.sumsTravel) {
      const takesLength = multiple?.isPending === true && size > 0;
      if (takesLength) ofDirection.inner(0, ys[size - 1]!, ys[size - 1]!);
      // with ⟨R, R⟩, because ‖D‖ itself would take another wait
      ofDirection.inners(1, list, size + 2, D);
      ofDirection.arrive();
      b.set(ofDirection.at.subarray(1, size + 3));
      if (takesLength) yy = ofDirection.at[0]!;
    } else vectors.inners(b, list, size + 1, D);
    const gamma = multiple?.value(yy) ?? 1;
    for (let i = 0; i <= size; i++) b[i] = b[i]! * gamma;
    b[size + 1] = b[size + 1]! * gamma * gamma;
    loops.second();
    vectors.combination(D, c, Ds, size, -gamma);
    if (vectors.sumsTravel) bound = loops.bound();
    return loops.slope();
  }

  /** list ← the vectors of the pairs from `from` on, A and B */
  function collect(vectorsOfPairs: readonly V[], from: number, A: V, B: V): void {
    let count = 0;
    for (let i = from; i < loops.size; i++) list[count++] = vectorsOfPairs[i]!;
    list[count++] = A;
    list[count] = B;
  }

  function newest(): NewestPairs<V> {
    const { start, solve } = loops.newest;
    return { start, ys: ys.slice(start, loops.size), solve };
  }

  function change({ t, D, G, Gt }: RayIn<V>): V {
    ahead ??= vectors.make();
    vectors.combine(ahead, 1, Gt, -1, G);
    changed.D = D;
    changed.t = t;
    return ahead;
  }

  /** the most pairs that are kept now */
  function room(): number {
    return growth ? Math.min(capacity, growth.first + Math.floor(everStored / growth.period)) : capacity;
  }

  /** The oldest pair of a full memory is dropped when the next one is stored: products with it are not asked for. */
  function oldest(): number {
    return loops.size === room() && capacity > 0 ? 1 : 0;
  }

  function measure(D: V, G: V): void {
    const from = oldest();
    collect(Ds, from, D, G);
    ofTrial.inners(from, list, loops.size - from + 2, G);
    ofTrial.arrive();
  }

  function trialProducts({ t, D, Gt }: RayIn<V>): number {
    measure(D, Gt);
    measured.G = Gt;
    measured.t = t;
    return fresh[loops.size]!;
  }

  function update(ray: RayIn<V>, t: number, dd: number, threshold: number): UpdatedPair<V> {
    const { D, G, Gt } = ray;
    const { size } = loops;
    if (measured.G !== G || measured.t !== ray.t) measure(D, G);
    // the old gradient, where its products are known and no transport has changed it
    const isKnown = latest === Gt;
    if (changed.D === D && changed.t === ray.t) [ray.Gt, ahead] = [ahead!, Gt];
    else vectors.combine(Gt, 1, G, -1, Gt);
    measured.G = changed.D = undefined;
    const y = ray.Gt;
    const from = oldest();
    if (isKnown) {
      for (let i = from; i < size; i++) freshY[i] = fresh[i]! - dg[i]!;
      freshY[size] = fresh[size]! - ray.slope0;
    } else {
      collect(Ds, from, D, y);
      vectors.inners(from === 0 ? freshY : freshYNewer, list, size - from + 1, y);
    }
    const [dy, gg] = [freshY[size]!, fresh[size + 1]!];
    const stored = capacity > 0 && t * dy > threshold;
    dg.set(fresh);
    // the products with the oldest D are missing where it stays
    latest = stored || from === 0 ? G : undefined;
    if (stored) store(ray, t, Math.sqrt(dd));
    return { t, D, y, dd, dy, gg, stored };
  }

  function store(ray: RayIn<V>, t: number, length: number): void {
    const isFull = loops.size === room();
    if (isFull) releaseOldest(1);
    loops.add(t, length, freshY, isFull);
    everStored++;
    const at = loops.size - 1;
    [Ds[at], ray.D] = [ray.D, Ds[at]!];
    [ys[at], ray.Gt] = [ray.Gt, ys[at]!];
    if (radius < Number.POSITIVE_INFINITY) {
      const count = loops.beyond(radius);
      releaseOldest(count);
      loops.drop(count);
    }
    loops.form();
  }

  /** The vectors of the oldest pairs come last, to be used again. */
  function releaseOldest(count: number): void {
    for (let k = 0; k < count; k++) {
      Ds.push(Ds.shift()!);
      ys.push(ys.shift()!);
    }
  }

  function transport(move: (A: V) => void): void {
    const { size } = loops;
    latest = undefined;
    for (let j = 0; j < size; j++) {
      move(Ds[j]!);
      move(ys[j]!);
    }
    for (let j = 0; j < size; j++) {
      const count = block > 1 ? size : j + 1;
      vectors.inners(fresh, Ds, count, ys[j]!);
      loops.replace(j, fresh, count);
    }
    loops.form();
  }
}
