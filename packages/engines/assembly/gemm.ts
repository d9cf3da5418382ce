/**
 * Products of matrices. C is computed in stripes of four rows, with blocks of B of KC rows and NC columns, which are packed in slivers of
 * four columns: a sliver stays in the L1 cache, a block in the L2 cache [Goto, van de Geijn, Anatomy of high-performance matrix
 * multiplication, ACM TOMS 34 (2008)]. The four rows of A for a stripe are packed too; for Aᵀ, four columns of A are contiguous and
 * are read in place.
 *
 * Every thread has `scratchBytes()` of its own at `scratch`, for the block of B and the rows of A.
 */
import { gemv } from "./gemv";
import { firsts, madd, seconds } from "./lanes";
import { stripe } from "./stripe";

/** Rows of a block of B: a sliver has 8 kB, a quarter of an L1 cache. */
const KC: i32 = 256;
/** Columns of a block of B: 512 kB in all, for the L2 cache. */
const NC: i32 = 256;
/** Bytes of a block of B */
const BLOCK: usize = KC * NC * 8;
/** Rows of C from which packing B saves time. */
const PACK_ROWS: i32 = 12;

/** Rows of B up to which a product with two columns is computed without packing. */
const NARROW: i32 = 16;

export function scratchBytes(): usize {
  return BLOCK + KC * 4 * 8;
}

/** C (m×n) ← a·op(A)·op(B) + b·C with inner dimension k; lda, ldb and ldc count numbers, so that C may be a block of a larger matrix */
export function gemm(
  m: i32, n: i32, k: i32, a: f64, A: usize, lda: usize, tA: bool, B: usize, ldb: usize, tB: bool, b: f64, C: usize, ldc: usize,
  scratch: usize,
): void {
  lda <<= 3;
  ldb <<= 3;
  ldc <<= 3;
  if (n == 1 && !tA && (tB || ldb == 8)) return gemv(m, k, a, A, lda, B, b, C, ldc);
  if (n == 2 && k <= NARROW && !tA && !tB && ldc == 16) return pairs(m, k, a, A, lda, B, ldb, b, C);
  const pack = tB || m >= PACK_ROWS;
  for (let j0 = 0; j0 < n; j0 += NC) {
    const nc = min(NC, n - j0);
    const J = (<usize>j0) << 3;
    for (let l0 = 0; l0 < k; l0 += KC) {
      const kc = min(KC, k - l0);
      const c = l0 == 0 ? b : 1;
      let Q = tB ? B + <usize>j0 * ldb + ((<usize>l0) << 3) : B + <usize>l0 * ldb + J;
      let ldq = ldb;
      let sliver: usize = 32;
      if (pack) {
        if (tB) packT(scratch, nc, kc, Q, ldb);
        else packN(scratch, nc, kc, Q, ldb);
        Q = scratch;
        ldq = 32;
        sliver = (<usize>kc) << 5;
      }
      for (let i = 0; i < m; i += 4) {
        const D = C + <usize>i * ldc + J;
        let P = A + <usize>l0 * lda + ((<usize>i) << 3);
        let ldp = lda;
        if (!tA) {
          packT(scratch + BLOCK, min(4, m - i), kc, A + <usize>i * lda + ((<usize>l0) << 3), lda);
          P = scratch + BLOCK;
          ldp = 32;
        }
        stripe(m - i, nc, kc, a, P, ldp, Q, ldq, sliver, c, D, ldc);
      }
    }
  }
}

/** C (m×2) ← a·A·B + b·C for a B of few rows */
function pairs(m: i32, k: i32, a: f64, A: usize, lda: usize, B: usize, ldb: usize, b: f64, C: usize): void {
  const aa = f64x2.splat(a);
  const bb = f64x2.splat(b);
  const width = (<usize>k) << 3;
  for (const end = C + ((<usize>m) << 4); C < end; C += 16) {
    let s = f64x2.splat(0);
    let y = B;
    for (let x = A, stop = A + width; x < stop; x += 8) {
      s = madd(v128.load64_splat(x), v128.load(y), s);
      y += ldb;
    }
    s = f64x2.mul(aa, s);
    v128.store(C, b == 0 ? s : madd(bb, v128.load(C), s));
    A += lda;
  }
}

/** Rows first … end − 1 of the upper triangle of S (p×p) ← AᵀA + b·S, A of n rows; `first` is a multiple of 4; diagonal tiles are full */
export function gramUpper(first: i32, end: i32, n: i32, p: i32, A: usize, b: f64, S: usize, scratch: usize): void {
  const ld = (<usize>p) << 3;
  for (let j0 = first; j0 < p; j0 += NC) {
    const nc = min(NC, p - j0);
    const J = (<usize>j0) << 3;
    for (let l0 = 0; l0 < n; l0 += KC) {
      const kc = min(KC, n - l0);
      const L = A + <usize>l0 * ld;
      const sliver = (<usize>kc) << 5;
      packN(scratch, nc, kc, L + J, ld);
      for (let i = first, to = min(end, j0 + nc); i < to; i += 4) {
        const skip = max(0, i - j0);
        stripe(
          p - i, nc - skip, kc, 1, L + ((<usize>i) << 3), ld, scratch + <usize>(skip >> 2) * sliver, 32, sliver,
          l0 == 0 ? b : 1, S + <usize>i * ld + J + ((<usize>skip) << 3), ld,
        );
      }
    }
  }
}

/** Slivers of the nc columns of B */
function packN(to: usize, nc: i32, kc: i32, B: usize, ldb: usize): void {
  for (let j = 0; j < nc; j += 4) {
    let from = B;
    for (let l = 0; l < kc; l++) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      from += ldb;
      to += 32;
    }
    B += 32;
  }
}

/** Slivers of the nc columns of Bᵀ, filled up with copies of the last column */
function packT(to: usize, nc: i32, kc: i32, B: usize, ldb: usize): void {
  for (let j = 0; j < nc; j += 4) {
    let p0 = B;
    let p1 = j + 1 < nc ? p0 + ldb : p0;
    let p2 = j + 2 < nc ? p1 + ldb : p1;
    let p3 = j + 3 < nc ? p2 + ldb : p2;
    let l = kc;
    for (; l >= 2; l -= 2) {
      const x0 = v128.load(p0);
      const x1 = v128.load(p1);
      const x2 = v128.load(p2);
      const x3 = v128.load(p3);
      v128.store(to, firsts(x0, x1));
      v128.store(to, firsts(x2, x3), 16);
      v128.store(to, seconds(x0, x1), 32);
      v128.store(to, seconds(x2, x3), 48);
      p0 += 16;
      p1 += 16;
      p2 += 16;
      p3 += 16;
      to += 64;
    }
    if (l) {
      store<f64>(to, load<f64>(p0));
      store<f64>(to, load<f64>(p1), 8);
      store<f64>(to, load<f64>(p2), 16);
      store<f64>(to, load<f64>(p3), 24);
      to += 32;
    }
    B += ldb << 2;
  }
}
