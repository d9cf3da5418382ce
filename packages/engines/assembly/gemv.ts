import { madd, sum } from "./lanes";

/** c ← a·A·x + b·c for a contiguous x; four rows of A share each load of x. lda and ldc count bytes. */
export function gemv(m: i32, k: i32, a: f64, A: usize, lda: usize, x: usize, b: f64, c: usize, ldc: usize): void {
  for (; m > 0; m -= 4) {
    const A1 = m > 1 ? A + lda : A;
    const A2 = m > 2 ? A1 + lda : A1;
    const A3 = m > 3 ? A2 + lda : A2;
    let r0 = f64x2.splat(0);
    let r1 = f64x2.splat(0);
    let r2 = f64x2.splat(0);
    let r3 = f64x2.splat(0);
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    let l: usize = 0;
    const end = (<usize>k) << 3;
    for (const whole = (<usize>(k & ~3)) << 3; l < whole; l += 32) {
      const x0 = v128.load(x + l);
      const x1 = v128.load(x + l, 16);
      r0 = madd(v128.load(A + l), x0, r0);
      r1 = madd(v128.load(A1 + l), x0, r1);
      r2 = madd(v128.load(A2 + l), x0, r2);
      r3 = madd(v128.load(A3 + l), x0, r3);
      s0 = madd(v128.load(A + l, 16), x1, s0);
      s1 = madd(v128.load(A1 + l, 16), x1, s1);
      s2 = madd(v128.load(A2 + l, 16), x1, s2);
      s3 = madd(v128.load(A3 + l, 16), x1, s3);
    }
    for (; l < end; l += 8) {
      const x0 = v128.load64_zero(x + l);
      r0 = madd(v128.load64_zero(A + l), x0, r0);
      r1 = madd(v128.load64_zero(A1 + l), x0, r1);
      r2 = madd(v128.load64_zero(A2 + l), x0, r2);
      r3 = madd(v128.load64_zero(A3 + l), x0, r3);
    }
    put(c, a * sum(f64x2.add(r0, s0)), b);
    if (m > 1) put(c + ldc, a * sum(f64x2.add(r1, s1)), b);
    if (m > 2) put(c + ldc * 2, a * sum(f64x2.add(r2, s2)), b);
    if (m > 3) put(c + ldc * 3, a * sum(f64x2.add(r3, s3)), b);
    A += lda << 2;
    c += ldc << 2;
  }
}

/** c ← t + b·c */
@inline
function put(c: usize, t: f64, b: f64): void {
  store<f64>(c, b == 0 ? t : t + b * load<f64>(c));
}
