/** Chains in plain loops, tile by tile: the definition of `map`. */
import type { Chain } from "../../contracts/engine.js";
import { operations } from "./operations.js";
import { type Place, planOf, TILE } from "./plan.js";

const EMPTY = new Float64Array(0);
/** Tiles for slots and constants, allocated on first use; scratch that does not survive a call */
const tiles: Float64Array[] = [];

function tileAt(i: number): Float64Array {
  while (tiles.length <= i) tiles.push(new Float64Array(TILE));
  return tiles[i]!;
}

/** outputs ← chain(inputs) for arrays of `size` numbers; returns the sum */
export function mapTiles(
  size: number,
  chain: Chain,
  inputs: readonly { readonly data: Float64Array }[],
  outputs: readonly { readonly data: Float64Array }[],
): number {
  const { steps, sum, slots } = planOf(chain);
  const { constants = [] } = chain;
  for (let c = 0; c < constants.length; c++) tileAt(slots + c).fill(constants[c]!);
  const dataOf = ({ kind, at }: Place): Float64Array => {
    if (kind === "input") return inputs[at]!.data;
    if (kind === "output") return outputs[at]!.data;
    return tileAt(kind === "slot" ? at : slots + at);
  };
  const moves = ({ kind }: Place): boolean => kind === "input" || kind === "output";
  const ready = steps.map(({ code, to, from }) => ({
    loop: operations[code]!.loop,
    z: dataOf(to),
    arrays: [0, 1, 2].map((i) => (from[i] ? dataOf(from[i]) : EMPTY)) as [Float64Array, Float64Array, Float64Array],
    moving: [to, ...from].map((place) => (moves(place) ? 1 : 0)),
  }));
  const summed = sum && { data: dataOf(sum), moving: moves(sum) ? 1 : 0 };
  let total = 0;
  let compensation = 0;
  for (let first = 0; first < size; first += TILE) {
    const count = Math.min(TILE, size - first);
    for (const {
      loop,
      z,
      arrays: [x, y, w],
      moving: [dz, dx, dy, dw],
    } of ready) {
      loop(count, z, first * dz!, x, first * dx!, y, first * (dy ?? 0), w, first * (dw ?? 0));
    }
    if (summed) {
      const from = first * summed.moving;
      let t = 0;
      for (let i = from; i < from + count; i++) t += summed.data[i]!;
      // the error of total + t is kept [Neumaier 1974]
      const next = total + t;
      compensation += Math.abs(total) >= Math.abs(t) ? total - next + t : t - next + total;
      total = next;
    }
  }
  // no correction for an infinite or undefined sum
  return Number.isFinite(compensation) ? total + compensation : total;
}
