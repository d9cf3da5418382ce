/** Products with a matrix in compressed sparse row format with 32-bit pointers and indices; the sums of eight columns stay in registers. */
import { madd } from "./lanes";

/** Y ← a·A·X + b·Y for A of n rows, X and Y with p columns */
export function sparse(
  n: i32, p: i32, a: f64, pointers: usize, indices: usize, values: usize, X: usize, b: f64, Y: usize,
): void {
  const row = (<usize>p) << 3;
  let begin: usize = load<u32>(pointers);
  for (let i = 0; i < n; i++) {
    pointers += 4;
    const end: usize = load<u32>(pointers);
    const from = values + (begin << 3);
    const to = values + (end << 3);
    const at = indices + (begin << 2);
    let x = X;
    let c = p;
    for (; c >= 8; c -= 8) {
      let s0 = f64x2.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      for (let v = from, j = at; v < to; v += 8, j += 4) {
        const t = v128.load64_splat(v);
        const u = x + <usize>load<u32>(j) * row;
        s0 = madd(t, v128.load(u), s0);
        s1 = madd(t, v128.load(u, 16), s1);
        s2 = madd(t, v128.load(u, 32), s2);
        s3 = madd(t, v128.load(u, 48), s3);
      }
      put(Y, a, s0, b);
      put(Y + 16, a, s1, b);
      put(Y + 32, a, s2, b);
      put(Y + 48, a, s3, b);
      x += 64;
      Y += 64;
    }
    for (; c >= 2; c -= 2) {
      let s = f64x2.splat(0);
      for (let v = from, j = at; v < to; v += 8, j += 4) {
        s = madd(v128.load64_splat(v), v128.load(x + <usize>load<u32>(j) * row), s);
      }
      put(Y, a, s, b);
      x += 16;
      Y += 16;
    }
    if (c > 0) {
      let s: f64 = 0;
      for (let v = from, j = at; v < to; v += 8, j += 4) s += load<f64>(v) * load<f64>(x + <usize>load<u32>(j) * row);
      store<f64>(Y, b == 0 ? a * s : a * s + b * load<f64>(Y));
      Y += 8;
    }
    begin = end;
  }
}

@inline
function put(Y: usize, a: f64, s: v128, b: f64): void {
  const t = f64x2.mul(f64x2.splat(a), s);
  v128.store(Y, b == 0 ? t : madd(f64x2.splat(b), v128.load(Y), t));
}
