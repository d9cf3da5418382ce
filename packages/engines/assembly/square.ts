/** Operations on p×p matrices in place, by pairs of tiles that stay in the L1 cache. */
import { firsts, seconds } from "./lanes";

/** Rows and columns of a tile: two tiles have 16 kB. */
const TILE: i32 = 32;

/** S ← (S + Sᵀ)/2 */
export function symmetrize(p: i32, S: usize): void {
  reflect(p, S, true);
}

/** The lower triangle of S ← the upper one, transposed. */
export function mirror(p: i32, S: usize): void {
  reflect(p, S, false);
}

/** S_ij ← S_ji for j < i, or S_ij and S_ji ← the mean of both */
@inline
function reflect(p: i32, S: usize, mean: bool): void {
  for (let i0 = 0; i0 < p; i0 += TILE) {
    for (let j0 = 0; j0 <= i0; j0 += TILE) tile(p, S, i0, min(i0 + TILE, p), j0, min(j0 + TILE, p), mean);
  }
}

/** Rows i0 … i1 − 1 and columns j0 … j1 − 1 of the strictly lower triangle, in blocks of 2×2 and single numbers */
function tile(p: i32, S: usize, i0: i32, i1: i32, j0: i32, j1: i32, mean: bool): void {
  const ld = (<usize>p) << 3;
  const half = f64x2.splat(0.5);
  for (let i = i0; i < i1; i += 2) {
    const pair = i + 1 < i1;
    let low = S + <usize>i * ld + ((<usize>j0) << 3);
    let high = S + <usize>j0 * ld + ((<usize>i) << 3);
    let j = j0;
    if (pair) {
      for (const end = min(j1, i); j + 1 < end; j += 2) {
        const u0 = v128.load(high);
        const u1 = v128.load(high + ld);
        let l0 = firsts(u0, u1);
        let l1 = seconds(u0, u1);
        if (mean) {
          l0 = f64x2.mul(half, f64x2.add(l0, v128.load(low)));
          l1 = f64x2.mul(half, f64x2.add(l1, v128.load(low + ld)));
          v128.store(high, firsts(l0, l1));
          v128.store(high + ld, seconds(l0, l1));
        }
        v128.store(low, l0);
        v128.store(low + ld, l1);
        low += 16;
        high += ld << 1;
      }
      one(S, ld, i + 1, j, min(j1, i + 1), mean);
    }
    one(S, ld, i, j, min(j1, i), mean);
  }
}

/** Row i, columns j … end − 1, one number at a time */
@inline
function one(S: usize, ld: usize, i: i32, j: i32, end: i32, mean: bool): void {
  for (; j < end; j++) {
    const low = S + <usize>i * ld + ((<usize>j) << 3);
    const high = S + <usize>j * ld + ((<usize>i) << 3);
    let s = load<f64>(high);
    if (mean) {
      s = 0.5 * (s + load<f64>(low));
      store<f64>(high, s);
    }
    store<f64>(low, s);
  }
}

/** S ← S + a·I */
export function addDiagonal(p: i32, a: f64, S: usize): void {
  const step = (<usize>p + 1) << 3;
  for (let i = 0; i < p; i++) {
    store<f64>(S, load<f64>(S) + a);
    S += step;
  }
}
