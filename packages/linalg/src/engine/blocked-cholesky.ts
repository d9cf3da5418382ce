import { choleskyInPlace } from "../arrays/cholesky.js";
import type { Engine } from "../contracts/engine.js";
import type { Matrix } from "../contracts/matrix.js";

/** The operations of the engine that it uses */
export type Products = Pick<Engine, "small" | "tmul">;

/** Rows that are factored at a time; the share of plain code is about BLOCK/n. */
const BLOCK = 48;

/**
 * S = RᵀR, written over the upper triangle of S, by blocks of rows; after the blocks above,
 *
 *     S_k: ← S_k: − Qᵀ·P,   P = R above the block from its first column on, Q the first columns of P,
 *
 * by one product of the engine: n³/3 multiply-adds except for the triangle of the block. Returns false if S is not positive definite.
 */
export function blockedCholesky(E: Products, S: Matrix): boolean {
  const n = S.rows;
  for (let first = 0; first < n; first += BLOCK) {
    const count = Math.min(BLOCK, n - first);
    const rest = n - first;
    const [P, Q, T] = [E.small(first, rest), E.small(first, count), E.small(count, rest)];
    // read after the allocation, since a growing WebAssembly memory detaches its views
    const s = S.data;
    for (let i = 0; i < first; i++) {
      const row = s.subarray(i * n + first, (i + 1) * n);
      P.data.set(row, i * rest);
      Q.data.set(row.subarray(0, count), i * count);
    }
    for (let i = 0; i < count; i++) T.data.set(s.subarray((first + i) * n + first, (first + i + 1) * n), i * rest);
    if (first > 0) E.tmul(T, Q, P, -1, 1);
    if (!choleskyInPlace(T.data, rest, count)) return false;
    for (let i = 0; i < count; i++) {
      s.fill(0, (first + i) * n, (first + i) * n + first);
      s.set(T.data.subarray(i * rest, (i + 1) * rest), (first + i) * n + first);
    }
  }
  return true;
}
