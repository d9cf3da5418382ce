import { madd } from "./lanes";

/**
 * C ← a·R + b·C for one 4×4 tile of C: R by rows, two vectors a row; rows and cols say how much of the tile lies in C.
 * `spare` is room for 16 numbers.
 */
@inline
export function put(
  C: usize, ldc: usize, rows: i32, cols: i32, a: v128, b: f64, spare: usize,
  r00: v128, r01: v128, r10: v128, r11: v128, r20: v128, r21: v128, r30: v128, r31: v128,
): void {
  if (rows < 4 || cols < 4) {
    v128.store(spare, f64x2.mul(a, r00), 0);
    v128.store(spare, f64x2.mul(a, r01), 16);
    v128.store(spare, f64x2.mul(a, r10), 32);
    v128.store(spare, f64x2.mul(a, r11), 48);
    v128.store(spare, f64x2.mul(a, r20), 64);
    v128.store(spare, f64x2.mul(a, r21), 80);
    v128.store(spare, f64x2.mul(a, r30), 96);
    v128.store(spare, f64x2.mul(a, r31), 112);
    putPart(C, ldc, rows, cols, b, spare);
    return;
  }
  const c1 = C + ldc;
  const c2 = c1 + ldc;
  const c3 = c2 + ldc;
  if (b == 0) {
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

/** The tile at the rim of C, number by number. */
function putPart(C: usize, ldc: usize, rows: i32, cols: i32, b: f64, spare: usize): void {
  for (let i = 0; i < min(rows, 4); i++) {
    for (let j = 0; j < min(cols, 4); j++) {
      const c = C + ((<usize>j) << 3);
      const r = load<f64>(spare + ((<usize>j) << 3));
      store<f64>(c, b == 0 ? r : r + b * load<f64>(c));
    }
    C += ldc;
    spare += 32;
  }
}
