import { madd } from "./lanes";

/** C ← a·R + b·C for the first rows × cols entries of a 4×4 tile of C; row i of R is ri0, ri1. */
@inline
export function put(
  C: usize, ldc: usize, rows: i32, cols: i32, a: v128, b: f64,
  r00: v128, r01: v128, r10: v128, r11: v128, r20: v128, r21: v128, r30: v128, r31: v128,
): void {
  const c1 = C + ldc;
  const c2 = c1 + ldc;
  const c3 = c2 + ldc;
  if (rows < 4 || cols < 4) {
    putPart(C, cols, a, b, r00, r01);
    if (rows > 1) putPart(c1, cols, a, b, r10, r11);
    if (rows > 2) putPart(c2, cols, a, b, r20, r21);
    if (rows > 3) putPart(c3, cols, a, b, r30, r31);
  } else if (b == 0) {
    v128.store(C, f64x2.mul(a, r00));
    v128.store(C, f64x2.mul(a, r01), 16);
    v128.store(c1, f64x2.mul(a, r10));
    v128.store(c1, f64x2.mul(a, r11), 16);
    v128.store(c2, f64x2.mul(a, r20));
    v128.store(c2, f64x2.mul(a, r21), 16);
    v128.store(c3, f64x2.mul(a, r30));
    v128.store(c3, f64x2.mul(a, r31), 16);
  } else {
    const bb = f64x2.splat(b);
    v128.store(C, madd(bb, v128.load(C), f64x2.mul(a, r00)));
    v128.store(C, madd(bb, v128.load(C, 16), f64x2.mul(a, r01)), 16);
    v128.store(c1, madd(bb, v128.load(c1), f64x2.mul(a, r10)));
    v128.store(c1, madd(bb, v128.load(c1, 16), f64x2.mul(a, r11)), 16);
    v128.store(c2, madd(bb, v128.load(c2), f64x2.mul(a, r20)));
    v128.store(c2, madd(bb, v128.load(c2, 16), f64x2.mul(a, r21)), 16);
    v128.store(c3, madd(bb, v128.load(c3), f64x2.mul(a, r30)));
    v128.store(c3, madd(bb, v128.load(c3, 16), f64x2.mul(a, r31)), 16);
  }
}

/** The first `cols` numbers of one row of a tile */
function putPart(c: usize, cols: i32, a: v128, b: f64, r0: v128, r1: v128): void {
  r0 = f64x2.mul(a, r0);
  r1 = f64x2.mul(a, r1);
  if (b != 0) {
    // lanes beyond the end of C are read here and not stored below
    const bb = f64x2.splat(b);
    r0 = madd(bb, v128.load(c), r0);
    r1 = madd(bb, v128.load(c, 16), r1);
  }
  if (cols == 1) {
    v128.store64_lane(c, r0, 0);
    return;
  }
  v128.store(c, r0);
  if (cols == 3) v128.store64_lane(c, r1, 0, 16);
  else if (cols > 3) v128.store(c, r1, 16);
}
