import type { Engine, Matrix } from "../types.js";

/** The operations it is made of */
export type Products = Pick<Engine, "small" | "tmul">;

/** Rows that are factored at a time: the share of plain code falls like BLOCK/n. */
const BLOCK = 48;

/**
 * S = RᵀR over S, upper triangle, one block of rows after the other: with the rows above finished,
 *
 *     S_k: ← S_k: − Qᵀ·P,   P = R above the block from its first column on, Q the first columns of P,
 *
 * by one product of the engine, n³/3 multiply-adds in all but the triangle of the block itself. Returns false where S is not positive.
 */
export function blockedCholesky(E: Products, S: Matrix): boolean {
  const n = S.rows;
  for (let first = 0; first < n; first += BLOCK) {
    const count = Math.min(BLOCK, n - first);
    const rest = n - first;
    const [P, Q, T] = [E.small(first, rest), E.small(first, count), E.small(count, rest)];
    // not before: a WebAssembly memory that grows detaches it
    const s = S.data;
    for (let i = 0; i < first; i++) {
      const row = s.subarray(i * n + first, (i + 1) * n);
      P.data.set(row, i * rest);
      Q.data.set(row.subarray(0, count), i * count);
    }
    for (let i = 0; i < count; i++) T.data.set(s.subarray((first + i) * n + first, (first + i + 1) * n), i * rest);
    if (first > 0) E.tmul(T, Q, P, -1, 1);
    if (!triangle(T.data, count, rest)) return false;
    for (let i = 0; i < count; i++) {
      s.fill(0, (first + i) * n, (first + i) * n + first);
      s.set(T.data.subarray(i * rest, (i + 1) * rest), (first + i) * n + first);
    }
  }
  return true;
}

/** The rows of R that belong to the rows T of what is left of S: T is count×rest, its diagonal begins at its first entry. */
function triangle(t: Float64Array, count: number, rest: number): boolean {
  for (let k = 0; k < count; k++) {
    const pivot = t[k * rest + k]!;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return false;
    const root = Math.sqrt(pivot);
    t[k * rest + k] = root;
    for (let j = k + 1; j < rest; j++) t[k * rest + j]! /= root;
    for (let i = k + 1; i < count; i++) {
      const factor = t[k * rest + i]!;
      t[i * rest + k] = 0;
      for (let j = i; j < rest; j++) t[i * rest + j]! -= factor * t[k * rest + j]!;
    }
  }
  return true;
}
