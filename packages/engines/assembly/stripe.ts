/**
 * A stripe is four rows of C. The inner dimension is kc. Step l reads four numbers of A at A + l·lda and rows of slivers, which are four
 * columns of B: row l of sliver s is at B + s·sliver + l·ldb. All strides count bytes.
 *
 * Eight accumulators of two lanes, two vectors of B and one number of A in both lanes take 11 of the 16 vector registers, with
 * 8 multiply-adds for 6 loads. Up to 24 bytes beyond the last number of A and B are read and not used.
 *
 * The inner loop is not unrolled: unrolled twice, it took twice the time on Node 20 (V8 11).
 */
import { madd } from "./lanes";
import { put } from "./tile";

/** C ← a·Aᵀ·B + b·C for the first `rows` of the four rows of C */
export function stripe(
  rows: i32, n: i32, kc: i32, a: f64, A: usize, lda: usize, B: usize, ldb: usize, sliver: usize, b: f64, C: usize, ldc: usize,
): void {
  const aa = f64x2.splat(a);
  for (let j = 0; j < n; j += 4) {
    let r00 = f64x2.splat(0);
    let r01 = f64x2.splat(0);
    let r10 = f64x2.splat(0);
    let r11 = f64x2.splat(0);
    let r20 = f64x2.splat(0);
    let r21 = f64x2.splat(0);
    let r30 = f64x2.splat(0);
    let r31 = f64x2.splat(0);
    let p = A;
    let q = B;
    // the last one or two columns: half of a sliver
    if (n - j <= 2) {
      for (let l = kc; l > 0; l--) {
        const b0 = v128.load(q);
        r00 = madd(v128.load64_splat(p), b0, r00);
        r10 = madd(v128.load64_splat(p, 8), b0, r10);
        r20 = madd(v128.load64_splat(p, 16), b0, r20);
        r30 = madd(v128.load64_splat(p, 24), b0, r30);
        p += lda;
        q += ldb;
      }
    } else {
      for (let l = kc; l > 0; l--) {
        const b0 = v128.load(q);
        const b1 = v128.load(q, 16);
        let x = v128.load64_splat(p);
        r00 = madd(x, b0, r00);
        r01 = madd(x, b1, r01);
        x = v128.load64_splat(p, 8);
        r10 = madd(x, b0, r10);
        r11 = madd(x, b1, r11);
        x = v128.load64_splat(p, 16);
        r20 = madd(x, b0, r20);
        r21 = madd(x, b1, r21);
        x = v128.load64_splat(p, 24);
        r30 = madd(x, b0, r30);
        r31 = madd(x, b1, r31);
        p += lda;
        q += ldb;
      }
    }
    put(C, ldc, rows, n - j, aa, b, r00, r01, r10, r11, r20, r21, r30, r31);
    B += sliver;
    C += 32;
  }
}
