/** C ← a·op(A)·op(B) + b·C by cuBLAS. */
import type { Kernels, Owned } from "@expen/linalg/engine";
import type { Device } from "./device.js";
import { COLUMNS } from "./functions.js";

/** Pieces of a long contraction for each multiprocessor, and the part of the traffic that their sums may be */
const [PIECES, SUMS] = [2, 0.015];
/**
 * A C of these sizes is a tile of cuBLAS, which then splits a long contraction badly for some widths (H200, 10⁷ rows of normals: 3.8 ms
 * for 50 columns, 7.5 for 100, 12 for 110; in pieces 2.2, 6.6, 6.9). Narrower ones gain nothing, wider ones lose.
 */
const TILE = { least: 32, most: 128 };

/** Row after row here, columns first there: cuBLAS sees every matrix transposed, Cᵀ ← a·op(B)ᵀ·op(A)ᵀ + b·Cᵀ. */
export function products(device: Device): Kernels["gemm"] {
  const [alpha, beta] = [new Float64Array(1), new Float64Array(1)];
  const turn = (t: boolean): number => (t ? COLUMNS.turned : COLUMNS.plain);
  const count = PIECES * device.multiprocessors;
  /** room for ones that add up and the products of pieces, of so many entries each */
  let [room, entries] = [0, 0];

  const gemm: Kernels["gemm"] = (m, n, k, a, A, tA, B, tB, b, C) => {
    alpha[0] = a;
    beta[0] = b;
    const factors = [B.at, tB ? k : n, A.at, tA ? m : k] as const;
    device.call("cublasDgemm_v2", device.cublas, turn(tB), turn(tA), n, m, k, alpha, ...factors, beta, C.at, n);
  };

  function hasRoom(size: number): boolean {
    if (entries >= size) return true;
    if (room) device.release(room);
    // the ones come first
    const pointers = device.allocate(8 * (count + 1) * (size + 1));
    [room, entries] = pointers === undefined ? [0, 0] : [pointers, size];
    if (pointers !== undefined) device.upload(pointers, new Float64Array(count + 1).fill(1));
    return pointers !== undefined;
  }

  /** AᵀB of k rows: pieces of `rows` rows by themselves, the last ones as a piece more, and their sum as a product with ones */
  const inPieces: Kernels["gemm"] = (m, n, k, a, A, _tA, B, _tB, b, C) => {
    const rows = Math.floor(k / count);
    const left = k - rows * count;
    const pieces = room + 8 * (count + 1);
    [alpha[0], beta[0]] = [1, 0];
    device.call(
      ...["cublasDgemmStridedBatched" as const, device.cublas, turn(false), turn(true), n, m, rows, alpha],
      ...[B.at, n, rows * n, A.at, m, rows * m, beta, pieces, n, m * n, count],
    );
    const last = (M: Owned, cols: number): Owned => at(M.at + 8 * rows * count * cols);
    if (left > 0) gemm(m, n, left, 1, last(A, m), true, last(B, n), false, 0, at(pieces + 8 * count * m * n));
    gemm(1, m * n, left > 0 ? count + 1 : count, a, at(room), false, at(pieces), false, b, C);
  };
  const at = (address: number): Owned => ({ at: address }) as Owned;

  return (m, n, k, a, A, tA, B, tB, b, C) => {
    const tile = Math.min(m, n) >= TILE.least && Math.max(m, n) <= TILE.most;
    const long = tA && !tB && tile && 2 * count * m * n <= SUMS * k * (m + n);
    (long && hasRoom(m * n) ? inPieces : gemm)(m, n, k, a, A, tA, B, tB, b, C);
  };
}
