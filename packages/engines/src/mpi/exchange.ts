/** Rows of other ranks: who needs which is settled once, then each call is one message to each rank that has some. */
import type { Partition } from "./partition.js";
import type { Wire } from "./wire.js";

/**
 * The rows asked for, one after the other in the order of `wanted`, cols numbers each, from the rows that each rank has of an n×cols
 * matrix. The array is used again by the next call.
 */
export type Exchange = (mine: Float64Array, cols: number) => Float64Array;

/** `wanted`: rows of this rank's wishes, ascending. To be called by all ranks, as the exchange itself. */
export function exchangeOf(
  wire: Wire,
  { firstRow, ownerOf }: Partition,
  n: number,
  indices: ArrayLike<number>,
  countBytes: (bytes: number) => void,
): Exchange {
  const { rank, size } = wire;
  const wishes = new Int32Array(size);
  for (let k = 0; k < indices.length; k++) wishes[ownerOf(n, indices[k]!)]!++;
  const requests = new Int32Array(size);
  {
    const ones = new Int32Array(size).fill(1);
    const numbers = new Float64Array(size);
    wire.deal(numbers, ones, Float64Array.from(wishes), ones);
    requests.set(numbers);
  }
  const requested = new Float64Array(requests.reduce((sum, count) => sum + count, 0));
  wire.deal(requested, requests, Float64Array.from(indices), wishes);
  const first = firstRow(n, rank);
  const rows = Int32Array.from(requested, (i) => i - first);
  let [out, into] = [new Float64Array(0), new Float64Array(0)];
  return (mine, cols) => {
    if (out.length < rows.length * cols) out = new Float64Array(rows.length * cols);
    if (into.length < indices.length * cols) into = new Float64Array(indices.length * cols);
    for (let k = 0; k < rows.length; k++) {
      for (let c = 0, from = rows[k]! * cols, to = k * cols; c < cols; c++) out[to + c] = mine[from + c]!;
    }
    const times = (counts: Int32Array): Int32Array => counts.map((count) => count * cols);
    wire.deal(into, times(wishes), out, times(requests));
    countBytes(8 * rows.length * cols);
    return into;
  };
}
