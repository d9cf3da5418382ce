/** Entrywise operations at memory speed, unrolled by eight numbers. `size` counts numbers; with b = 0 the destination is not read. */
import { bytes, madd, sum } from "./lanes";

/** The end of the first 8·⌊size/8⌋ numbers at p */
@inline
function whole(p: usize, size: i32): usize {
  return p + bytes(size & ~7);
}

export function dot(size: i32, x: usize, y: usize): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  const end = x + bytes(size);
  for (const turn = whole(x, size); x < turn; x += 64) {
    s0 = madd(v128.load(x), v128.load(y), s0);
    s1 = madd(v128.load(x, 16), v128.load(y, 16), s1);
    s2 = madd(v128.load(x, 32), v128.load(y, 32), s2);
    s3 = madd(v128.load(x, 48), v128.load(y, 48), s3);
    y += 64;
  }
  let s = sum(f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3)));
  for (; x < end; x += 8) {
    s += load<f64>(x) * load<f64>(y);
    y += 8;
  }
  return s;
}

/** y ← x */
export function copy(size: i32, x: usize, y: usize): void {
  memory.copy(y, x, bytes(size));
}

/** y ← a */
export function fill(size: i32, a: f64, y: usize): void {
  const end = y + bytes(size);
  const aa = f64x2.splat(a);
  for (const turn = whole(y, size); y < turn; y += 64) {
    v128.store(y, aa);
    v128.store(y, aa, 16);
    v128.store(y, aa, 32);
    v128.store(y, aa, 48);
  }
  for (; y < end; y += 8) store<f64>(y, a);
}

/** y ← a·x + b·y */
export function axpby(size: i32, a: f64, x: usize, b: f64, y: usize): void {
  if (b == 0) return scaled(size, a, x, y);
  combine(size, a, x, b, y, y);
}

/** y ← a·x */
export function scaled(size: i32, a: f64, x: usize, y: usize): void {
  const end = y + bytes(size);
  const aa = f64x2.splat(a);
  for (const turn = whole(y, size); y < turn; y += 64) {
    v128.store(y, f64x2.mul(aa, v128.load(x)));
    v128.store(y, f64x2.mul(aa, v128.load(x, 16)), 16);
    v128.store(y, f64x2.mul(aa, v128.load(x, 32)), 32);
    v128.store(y, f64x2.mul(aa, v128.load(x, 48)), 48);
    x += 64;
  }
  for (; y < end; y += 8) {
    store<f64>(y, a * load<f64>(x));
    x += 8;
  }
}

/** z ← a·x + b·y; z may be y */
export function combine(size: i32, a: f64, x: usize, b: f64, y: usize, z: usize): void {
  const end = z + bytes(size);
  const aa = f64x2.splat(a);
  const bb = f64x2.splat(b);
  for (const turn = whole(z, size); z < turn; z += 64) {
    v128.store(z, madd(aa, v128.load(x), f64x2.mul(bb, v128.load(y))));
    v128.store(z, madd(aa, v128.load(x, 16), f64x2.mul(bb, v128.load(y, 16))), 16);
    v128.store(z, madd(aa, v128.load(x, 32), f64x2.mul(bb, v128.load(y, 32))), 32);
    v128.store(z, madd(aa, v128.load(x, 48), f64x2.mul(bb, v128.load(y, 48))), 48);
    x += 64;
    y += 64;
  }
  for (; z < end; z += 8) {
    store<f64>(z, a * load<f64>(x) + b * load<f64>(y));
    x += 8;
    y += 8;
  }
}

/** z ← a·x∘y + b·z */
export function hadamard(size: i32, a: f64, x: usize, y: usize, b: f64, z: usize): void {
  const end = z + bytes(size);
  const aa = f64x2.splat(a);
  const bb = f64x2.splat(b);
  if (b == 0) {
    for (const turn = whole(z, size); z < turn; z += 64) {
      v128.store(z, f64x2.mul(f64x2.mul(aa, v128.load(x)), v128.load(y)));
      v128.store(z, f64x2.mul(f64x2.mul(aa, v128.load(x, 16)), v128.load(y, 16)), 16);
      v128.store(z, f64x2.mul(f64x2.mul(aa, v128.load(x, 32)), v128.load(y, 32)), 32);
      v128.store(z, f64x2.mul(f64x2.mul(aa, v128.load(x, 48)), v128.load(y, 48)), 48);
      x += 64;
      y += 64;
    }
  } else {
    for (const turn = whole(z, size); z < turn; z += 64) {
      v128.store(z, madd(f64x2.mul(aa, v128.load(x)), v128.load(y), f64x2.mul(bb, v128.load(z))));
      v128.store(z, madd(f64x2.mul(aa, v128.load(x, 16)), v128.load(y, 16), f64x2.mul(bb, v128.load(z, 16))), 16);
      v128.store(z, madd(f64x2.mul(aa, v128.load(x, 32)), v128.load(y, 32), f64x2.mul(bb, v128.load(z, 32))), 32);
      v128.store(z, madd(f64x2.mul(aa, v128.load(x, 48)), v128.load(y, 48), f64x2.mul(bb, v128.load(z, 48))), 48);
      x += 64;
      y += 64;
    }
  }
  for (; z < end; z += 8) {
    const t = a * load<f64>(x) * load<f64>(y);
    store<f64>(z, b == 0 ? t : t + b * load<f64>(z));
    x += 8;
    y += 8;
  }
}
