import type { Engine } from "../types.js";

/**
 * For a sentence on an f that is not finite where it should be. An array `A.data` that f has kept is empty after the memory of the engine
 * has grown, and its entries are then undefined; who reads `A.data` afresh gets the numbers.
 */
export const keptData = (E: Engine): string =>
  E.counters.emptied
    ? "; if f keeps the data of a matrix, read it afresh in every call: the memory grew, which empties such arrays"
    : "";
