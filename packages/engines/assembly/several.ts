/**
 * Several matrices of `size` numbers in one pass, read side by side. Blocks of each matrix in turn would stay in the L1 cache, but
 * prefetching is then too late and memory has half the speed.
 */
import { bytes, madd, sum } from "./lanes";

/** r_i ← ⟨x_i, y⟩, i < 2 */
export function dots2(size: i32, x0: usize, x1: usize, y: usize, r: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let t0 = f64x2.splat(0);
  let t1 = f64x2.splat(0);
  let i: usize = 0;
  for (const turn = bytes(size & ~3); i < turn; i += 32) {
    const a = v128.load(y + i);
    const b = v128.load(y + i, 16);
    s0 = madd(v128.load(x0 + i), a, s0);
    s1 = madd(v128.load(x1 + i), a, s1);
    t0 = madd(v128.load(x0 + i, 16), b, t0);
    t1 = madd(v128.load(x1 + i, 16), b, t1);
  }
  for (const end = bytes(size); i < end; i += 8) {
    const a = v128.load64_zero(y + i);
    s0 = madd(v128.load64_zero(x0 + i), a, s0);
    s1 = madd(v128.load64_zero(x1 + i), a, s1);
  }
  store<f64>(r, sum(f64x2.add(s0, t0)));
  store<f64>(r, sum(f64x2.add(s1, t1)), 8);
}

/** r_i ← ⟨x_i, y⟩, i < 4; unrolled as above it takes a third longer */
export function dots4(size: i32, x0: usize, x1: usize, x2: usize, x3: usize, y: usize, r: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let i: usize = 0;
  for (const turn = bytes(size & ~1); i < turn; i += 16) {
    const a = v128.load(y + i);
    s0 = madd(v128.load(x0 + i), a, s0);
    s1 = madd(v128.load(x1 + i), a, s1);
    s2 = madd(v128.load(x2 + i), a, s2);
    s3 = madd(v128.load(x3 + i), a, s3);
  }
  if (size & 1) {
    const a = v128.load64_zero(y + i);
    s0 = madd(v128.load64_zero(x0 + i), a, s0);
    s1 = madd(v128.load64_zero(x1 + i), a, s1);
    s2 = madd(v128.load64_zero(x2 + i), a, s2);
    s3 = madd(v128.load64_zero(x3 + i), a, s3);
  }
  store<f64>(r, sum(s0));
  store<f64>(r, sum(s1), 8);
  store<f64>(r, sum(s2), 16);
  store<f64>(r, sum(s3), 24);
}

/** z ← c₀x₀ + c₁x₁ + c₂x₂; z may be one of the x_i */
export function combine3(size: i32, c: usize, x0: usize, x1: usize, x2: usize, z: usize): void {
  const c0 = v128.load64_splat(c);
  const c1 = v128.load64_splat(c, 8);
  const c2 = v128.load64_splat(c, 16);
  let i: usize = 0;
  for (const turn = bytes(size & ~3); i < turn; i += 32) {
    const a = madd(c0, v128.load(x0 + i), madd(c1, v128.load(x1 + i), f64x2.mul(c2, v128.load(x2 + i))));
    const b = madd(c0, v128.load(x0 + i, 16), madd(c1, v128.load(x1 + i, 16), f64x2.mul(c2, v128.load(x2 + i, 16))));
    v128.store(z + i, a);
    v128.store(z + i, b, 16);
  }
  for (const end = bytes(size); i < end; i += 8) {
    const a = madd(c0, v128.load64_zero(x0 + i), madd(c1, v128.load64_zero(x1 + i), f64x2.mul(c2, v128.load64_zero(x2 + i))));
    v128.store64_lane(z + i, a, 0);
  }
}

/** z ← c₀x₀ + … + c₃x₃; z may be one of the x_i */
export function combine4(size: i32, c: usize, x0: usize, x1: usize, x2: usize, x3: usize, z: usize): void {
  const c0 = v128.load64_splat(c);
  const c1 = v128.load64_splat(c, 8);
  const c2 = v128.load64_splat(c, 16);
  const c3 = v128.load64_splat(c, 24);
  let i: usize = 0;
  for (const turn = bytes(size & ~3); i < turn; i += 32) {
    let a = madd(c2, v128.load(x2 + i), f64x2.mul(c3, v128.load(x3 + i)));
    let b = madd(c2, v128.load(x2 + i, 16), f64x2.mul(c3, v128.load(x3 + i, 16)));
    a = madd(c0, v128.load(x0 + i), madd(c1, v128.load(x1 + i), a));
    b = madd(c0, v128.load(x0 + i, 16), madd(c1, v128.load(x1 + i, 16), b));
    v128.store(z + i, a);
    v128.store(z + i, b, 16);
  }
  for (const end = bytes(size); i < end; i += 8) {
    const a = madd(c2, v128.load64_zero(x2 + i), f64x2.mul(c3, v128.load64_zero(x3 + i)));
    v128.store64_lane(z + i, madd(c0, v128.load64_zero(x0 + i), madd(c1, v128.load64_zero(x1 + i), a)), 0);
  }
}
