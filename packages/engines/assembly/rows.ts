/** Operations with one coefficient for each row, two numbers of a row at once. */
import { hadamard } from "./elementwise";
import { madd, sum } from "./lanes";

/** r_i ← Σ_j X_ij·Y_ij */
export function rowDots(n: i32, p: i32, X: usize, Y: usize, r: usize): void {
  if (p == 1) return hadamard(n, 1, X, Y, 0, r);
  for (const end = r + ((<usize>n) << 3); r < end; r += 8) {
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let j = p;
    for (; j >= 4; j -= 4) {
      s0 = madd(v128.load(X), v128.load(Y), s0);
      s1 = madd(v128.load(X, 16), v128.load(Y, 16), s1);
      X += 32;
      Y += 32;
    }
    if (j >= 2) {
      s0 = madd(v128.load(X), v128.load(Y), s0);
      X += 16;
      Y += 16;
    }
    let s = sum(f64x2.add(s0, s1));
    if (j & 1) {
      s += load<f64>(X) * load<f64>(Y);
      X += 8;
      Y += 8;
    }
    store<f64>(r, s);
  }
}

/** Y ← a·Diag(r)·X + b·Y */
export function scaleRows(n: i32, p: i32, a: f64, r: usize, X: usize, b: f64, Y: usize): void {
  if (p == 1) return hadamard(n, a, r, X, b, Y);
  const bb = f64x2.splat(b);
  for (const end = r + ((<usize>n) << 3); r < end; r += 8) {
    const t = a * load<f64>(r);
    const tt = f64x2.splat(t);
    const stop = Y + ((<usize>p) << 3);
    const even = Y + ((<usize>(p & ~1)) << 3);
    if (b == 0) {
      for (; Y < even; Y += 16) {
        v128.store(Y, f64x2.mul(tt, v128.load(X)));
        X += 16;
      }
    } else {
      for (; Y < even; Y += 16) {
        v128.store(Y, madd(tt, v128.load(X), f64x2.mul(bb, v128.load(Y))));
        X += 16;
      }
    }
    if (Y < stop) {
      store<f64>(Y, b == 0 ? t * load<f64>(X) : t * load<f64>(X) + b * load<f64>(Y));
      X += 8;
      Y += 8;
    }
  }
}
