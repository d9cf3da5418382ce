import type { Small, Tall } from "@expen/linalg";
import type { Blocks } from "../../contracts/constraint.js";
import type { CurvaturePairs } from "./curvature-pairs.js";
import type { Frame, Tangent } from "./tangent.js";

/** Length of the first step of a block, in √p */
const FIRST = 0.3;
/** A pair is dropped in a block whose steps after it are longer than this together, in √p. */
const FAR = 0.5;
/** Longest step of a block, in √p, the length of a feasible point */
const LONGEST = 1;
/** Steps of a block below this part of √p: half of the digits of the change of its gradient are roundoff. */
const SHORT = 1e-9;
/** ‖tD‖ from which ‖Y − X‖ is measured, in √p: below, the way back to the manifold takes less than 1e-4 of it. */
const CURVED_FROM = 0.01;
/** A pair is stored in a block where ⟨s, y⟩ is above this part of ‖s‖·‖y‖. */
const CURVATURE = 1e-8;

/** s = t·D and y of all blocks, with ⟨D_i, y_i⟩, and Infinity in blocks that have no such pair */
interface Stored {
  D: Tangent;
  y: Tangent;
  readonly t: Float64Array;
  readonly dy: Float64Array;
  /** length of the steps of a block since then */
  readonly way: Float64Array;
}

/**
 * Curvature pairs for an f that is a sum of functions of one block each: the two-loop recursion of limited-memory BFGS (pairs.ts) with
 * products and coefficients of each block, so that a block has the pairs and the scale γ_i = ⟨s_i, y_i⟩/⟨y_i, y_i⟩ that a run of its own
 * would have; the step along their directions is one for all. This is the partitioned quasi-Newton method of Griewank and Toint (Numer.
 * Math. 39, 1982) with little memory. How many blocks there are, and of which sizes their terms, counts in the line search alone.
 */
export function blockPairs(frame: Frame, blocks: Blocks, capacity: number): CurvaturePairs<Tangent> {
  const { k, p } = blocks;
  const list = (): Float64Array => new Float64Array(k);
  const stored: Stored[] = [];
  const free: Stored[] = [];
  const alphas = Array.from({ length: capacity }, list);
  const [r, squares, ofRotations, gamma, lengths] = [list(), list(), list(), list(), list()];
  const unit = Math.sqrt(p);
  gamma.fill(Number.NaN);

  return {
    get size() {
      return stored.length;
    },
    bound: Number.POSITIVE_INFINITY,
    direction({ D, G, Gt: q }) {
      frame.combine(q, 1, G, 0, G);
      for (let j = stored.length - 1; j >= 0; j--) {
        const [pair, a] = [stored[j]!, alphas[j]!];
        dots(a, pair.D, q);
        for (let i = 0; i < k; i++) r[i] = -(a[i]! /= pair.dy[i]!);
        add(q, r, pair.y);
      }
      // blocks of which nothing is known yet take a short step
      if (gamma.some(Number.isNaN)) dots(squares, q, q);
      for (let i = 0; i < k; i++) {
        const known = gamma[i]!;
        if (!Number.isNaN(known)) r[i] = known;
        else r[i] = squares[i]! > 0 ? (FIRST * unit) / Math.sqrt(squares[i]!) : 0;
      }
      add(D, r, q, 0);
      for (const [j, pair] of stored.entries()) {
        dots(r, pair.y, D);
        for (let i = 0; i < k; i++) r[i] = pair.t[i]! * alphas[j]![i]! - r[i]! / pair.dy[i]!;
        add(D, r, pair.D);
      }
      dots(squares, D, D);
      for (let i = 0; i < k; i++) {
        lengths[i] = Math.sqrt(squares[i]!);
        const shrink = Math.min(1, (LONGEST * unit) / lengths[i]!);
        lengths[i] = shrink * lengths[i]!;
        r[i] = -shrink;
      }
      add(D, r, D, 0);
      return frame.inner(G, D);
    },
    change({ Gt, G }) {
      const y = frame.make();
      frame.combine(y, 1, Gt, -1, G);
      return y;
    },
    trialProducts: ({ Gt, D }) => frame.inner(Gt, D),
    update(ray, t, total) {
      const { D, G, Gt: y } = ray;
      frame.combine(y, 1, G, -1, y);
      const pair = stored.length === capacity ? stored.shift()! : (free.pop() ?? newPair());
      const { t: steps, dy } = pair;
      stepLengths(steps, ray.t, ray.X, ray.Xt);
      dots(dy, D, y);
      dots(r, y, y);
      for (const { way, dy } of stored)
        for (let i = 0; i < k; i++)
          if ((way[i]! += steps[i]! * lengths[i]!) > FAR * unit) dy[i] = Number.POSITIVE_INFINITY;
      pair.way.fill(0);
      let [product, isStored] = [0, false];
      for (let i = 0; i < k; i++) {
        product += dy[i]!;
        const [s, length] = [steps[i]! * lengths[i]!, Math.sqrt(r[i]!)];
        const isNear = !(s > SHORT * unit && length > 0);
        const isCurved = !isNear && steps[i]! * dy[i]! > CURVATURE * s * length;
        if (isCurved) gamma[i] = (steps[i]! * dy[i]!) / r[i]!;
        else if (!isNear) gamma[i] = s / length;
        if (!isCurved) dy[i] = Number.POSITIVE_INFINITY;
        isStored ||= isCurved;
      }
      if (isStored) {
        [pair.D, ray.D] = [D, pair.D];
        [pair.y, ray.Gt] = [y, pair.y];
        stored.push(pair);
      } else free.push(pair);
      return { t, D, y, dd: total, dy: product, gg: frame.inner(G, G), stored: isStored };
    },
    clear() {
      free.push(...stored.splice(0));
      gamma.fill(Number.NaN);
    },
    restart() {},
    transport() {},
  };

  function newPair(): Stored {
    return { D: frame.make(), y: frame.make(), t: list(), dy: list(), way: list() };
  }

  /** steps_i ← t, of a long step ‖Y_i − X_i‖/‖D_i‖ */
  function stepLengths(steps: Float64Array, t: number, X: Tall, Y: Tall): void {
    steps.fill(t);
    if (!lengths.some((length) => t * length > CURVED_FROM * unit)) return;
    blocks.dots(r, X, Y);
    for (let i = 0; i < k; i++)
      if (t * lengths[i]! > CURVED_FROM * unit) steps[i] = Math.sqrt(Math.max(0, 2 * (p - r[i]!))) / lengths[i]!;
  }

  function dots(r: Float64Array, A: Tangent, B: Tangent): void {
    blocks.dots<Tall | Small>(r, A.Z ?? A.O!, B.Z ?? B.O!);
    if (!A.Z || !A.O) return;
    blocks.dots(ofRotations, A.O, B.O!);
    for (let i = 0; i < k; i++) r[i]! += ofRotations[i]!;
  }
  function add(C: Tangent, c: Float64Array, A: Tangent, b = 1): void {
    if (C.Z) blocks.add(C.Z, c, A.Z!, b);
    if (C.O) blocks.add(C.O, c, A.O!, b);
  }
}
