import type { Symbolic } from "./symbolic.js";

/** The factorization of a full matrix: one supernode with all columns in the order of the rows */
export function denseSymbolic(size: number): Symbolic {
  const order = Int32Array.from({ length: size }, (_, k) => k);
  const structure = { first: Int32Array.of(0, size), rows: [new Int32Array(0)], parent: Int32Array.of(-1) };
  return { size, order, place: order, ...structure, entries: size * size, flops: size ** 3 / 3 };
}
