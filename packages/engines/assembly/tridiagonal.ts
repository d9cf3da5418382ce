/** Tridiagonal matrices T_{i,i−1} = lower_i, T_ii = main_i, T_{i,i+1} = upper_i; lower_0 and upper_{n−1} are not used. */
import { scaled } from "./elementwise";
import { madd, nmadd } from "./lanes";

/** Rows first … end − 1 of Y ← a·T·X + b·Y, where X and Y have n rows: y_i ← a·(l_i·x_{i−1} + d_i·x_i + u_i·x_{i+1}) + b·y_i */
export function tridiagonal(
  first: i32, end: i32, n: i32, p: i32, a: f64, lower: usize, main: usize, upper: usize, X: usize, b: f64, Y: usize,
): void {
  const ld = (<usize>p) << 3;
  const last = n - 1;
  if (first == 0) rim(p, a, load<f64>(main), X, n > 1 ? load<f64>(upper) : 0, n > 1 ? X + ld : 0, b, Y);
  let i = max(first, 1);
  const inner = min(end, last);
  if (p == 1) i = column(i, inner, a, lower, main, upper, X, b, Y);
  if (b == 0 && p <= 32) i = pairs(i, inner, p, a, lower, main, upper, X, Y);
  for (; i < inner; i++) {
    const at = (<usize>i) << 3;
    row(p, a * load<f64>(lower + at), a * load<f64>(main + at), a * load<f64>(upper + at), X + <usize>i * ld, b, Y + <usize>i * ld);
  }
  if (end == n && n > 1) {
    const at = (<usize>last) << 3;
    const x = X + <usize>last * ld;
    rim(p, a, load<f64>(main + at), x, load<f64>(lower + at), x - ld, b, Y + <usize>last * ld);
  }
}

/** The first or the last row: y ← a·(d·x + c·z) + b·y; z is 0 if n = 1. */
function rim(p: i32, a: f64, d: f64, x: usize, c: f64, z: usize, b: f64, y: usize): void {
  for (let j: usize = 0, end = (<usize>p) << 3; j < end; j += 8) {
    let t = d * load<f64>(x + j);
    if (z) t += c * load<f64>(z + j);
    store<f64>(y + j, b == 0 ? a * t : a * t + b * load<f64>(y + j));
  }
}

/** Y ← a·T·X by pairs of inner rows, which share two of their loads; not faster for long rows. Returns the first row that is not done. */
function pairs(i: i32, end: i32, p: i32, a: f64, lower: usize, main: usize, upper: usize, X: usize, Y: usize): i32 {
  const ld = (<usize>p) << 3;
  for (; i + 1 < end; i += 2) {
    const at = (<usize>i) << 3;
    const l0 = f64x2.splat(a * load<f64>(lower + at));
    const d0 = f64x2.splat(a * load<f64>(main + at));
    const u0 = f64x2.splat(a * load<f64>(upper + at));
    const l1 = f64x2.splat(a * load<f64>(lower + at, 8));
    const d1 = f64x2.splat(a * load<f64>(main + at, 8));
    const u1 = f64x2.splat(a * load<f64>(upper + at, 8));
    let x0 = X + <usize>(i - 1) * ld;
    let x1 = x0 + ld;
    let x2 = x1 + ld;
    let x3 = x2 + ld;
    let y0 = Y + <usize>i * ld;
    let y1 = y0 + ld;
    for (const even = y0 + ((<usize>(p & ~1)) << 3); y0 < even; y0 += 16) {
      const b = v128.load(x1);
      const c = v128.load(x2);
      v128.store(y0, madd(l0, v128.load(x0), madd(u0, c, f64x2.mul(d0, b))));
      v128.store(y1, madd(l1, b, madd(u1, v128.load(x3), f64x2.mul(d1, c))));
      x0 += 16;
      x1 += 16;
      x2 += 16;
      x3 += 16;
      y1 += 16;
    }
    if (p & 1) {
      const b = v128.load64_zero(x1);
      const c = v128.load64_zero(x2);
      v128.store64_lane(y0, madd(l0, v128.load64_zero(x0), madd(u0, c, f64x2.mul(d0, b))), 0);
      v128.store64_lane(y1, madd(l1, b, madd(u1, v128.load64_zero(x3), f64x2.mul(d1, c))), 0);
    }
  }
  return i;
}

/** y ← l·x_{i−1} + d·x_i + u·x_{i+1} + b·y for one inner row */
@inline
function row(p: i32, l: f64, d: f64, u: f64, x: usize, b: f64, y: usize): void {
  const ll = f64x2.splat(l);
  const dd = f64x2.splat(d);
  const uu = f64x2.splat(u);
  const bb = f64x2.splat(b);
  const ld = (<usize>p) << 3;
  const even = y + ((<usize>(p & ~1)) << 3);
  let w = x - ld;
  let z = x + ld;
  if (b == 0) {
    for (const turn = y + ((<usize>(p & ~3)) << 3); y < turn; y += 32) {
      v128.store(y, madd(ll, v128.load(w), madd(uu, v128.load(z), f64x2.mul(dd, v128.load(x)))));
      v128.store(y, madd(ll, v128.load(w, 16), madd(uu, v128.load(z, 16), f64x2.mul(dd, v128.load(x, 16)))), 16);
      w += 32;
      x += 32;
      z += 32;
    }
    for (; y < even; y += 16) {
      v128.store(y, madd(ll, v128.load(w), madd(uu, v128.load(z), f64x2.mul(dd, v128.load(x)))));
      w += 16;
      x += 16;
      z += 16;
    }
  } else {
    for (; y < even; y += 16) {
      v128.store(y, madd(ll, v128.load(w), madd(uu, v128.load(z), madd(dd, v128.load(x), f64x2.mul(bb, v128.load(y))))));
      w += 16;
      x += 16;
      z += 16;
    }
  }
  if (p & 1) {
    const t = l * load<f64>(w) + u * load<f64>(z) + d * load<f64>(x);
    store<f64>(y, b == 0 ? t : t + b * load<f64>(y));
  }
}

/** A single column, by pairs of rows. Returns the first row that is not done. */
function column(i: i32, end: i32, a: f64, lower: usize, main: usize, upper: usize, X: usize, b: f64, Y: usize): i32 {
  const aa = f64x2.splat(a);
  const bb = f64x2.splat(b);
  for (; i + 1 < end; i += 2) {
    const at = (<usize>i) << 3;
    const x = X + at;
    let t = f64x2.mul(v128.load(main + at), v128.load(x));
    t = madd(v128.load(lower + at), v128.load(x - 8), t);
    t = f64x2.mul(aa, madd(v128.load(upper + at), v128.load(x, 8), t));
    v128.store(Y + at, b == 0 ? t : madd(bb, v128.load(Y + at), t));
  }
  return i;
}

/**
 * Columns of Y ← T⁻¹·X for T = LU from linalg/tridiagonal.ts: forward y_i = x_i − l_i·y_{i−1}, backward
 * y_i = w_i·y_i − (w_i·u_i)·y_{i+1}, where only one multiply-add of a row depends on the row before.
 * X and Y are the addresses of the first of `cols` columns of matrices with p columns.
 */
export function tridiagonalSolve(
  n: i32, p: i32, cols: i32, lower: usize, pivot: usize, upper: usize, X: usize, Y: usize,
): void {
  const ld = (<usize>p) << 3;
  if (cols > 4) return solveRows(n, ld, cols, lower, pivot, upper, X, Y);
  for (; cols >= 2; cols -= 2) {
    solvePair(n, ld, lower, pivot, upper, X, Y);
    X += 16;
    Y += 16;
  }
  if (cols) solveOne(n, ld, lower, pivot, upper, X, Y);
}

function solveOne(n: i32, ld: usize, lower: usize, pivot: usize, upper: usize, X: usize, Y: usize): void {
  solveColumns(false, n, ld, lower, pivot, upper, X, Y);
}

function solvePair(n: i32, ld: usize, lower: usize, pivot: usize, upper: usize, X: usize, Y: usize): void {
  solveColumns(true, n, ld, lower, pivot, upper, X, Y);
}

/** One column or a pair of them, which stays in a register from row to row; `pair` is a constant at each inlined call. */
@inline
function solveColumns(pair: bool, n: i32, ld: usize, lower: usize, pivot: usize, upper: usize, X: usize, Y: usize): void {
  const end = lower + ((<usize>n) << 3);
  let y = loadColumns(pair, X);
  storeColumns(pair, Y, y);
  for (let l = lower + 8; l < end; l += 8) {
    X += ld;
    Y += ld;
    y = nmadd(v128.load64_splat(l), y, loadColumns(pair, X));
    storeColumns(pair, Y, y);
  }
  let w = pivot + ((<usize>(n - 1)) << 3);
  let u = upper + ((<usize>(n - 1)) << 3);
  y = f64x2.mul(v128.load64_splat(w), y);
  storeColumns(pair, Y, y);
  while (w > pivot) {
    w -= 8;
    u -= 8;
    Y -= ld;
    const ww = v128.load64_splat(w);
    y = nmadd(f64x2.mul(ww, v128.load64_splat(u)), y, f64x2.mul(ww, loadColumns(pair, Y)));
    storeColumns(pair, Y, y);
  }
}

@inline
function loadColumns(pair: bool, p: usize): v128 {
  if (pair) return v128.load(p);
  return v128.load64_splat(p);
}

@inline
function storeColumns(pair: bool, p: usize, y: v128): void {
  if (pair) v128.store(p, y);
  else v128.store64_lane(p, y, 0);
}

/** Many columns: row by row, each with the row before, which is still in the L1 cache. */
function solveRows(n: i32, ld: usize, cols: i32, lower: usize, pivot: usize, upper: usize, X: usize, Y: usize): void {
  memory.copy(Y, X, (<usize>cols) << 3);
  for (let i = 1; i < n; i++) {
    X += ld;
    Y += ld;
    rowFrom(cols, load<f64>(lower + ((<usize>i) << 3)), Y - ld, 1, X, Y);
  }
  scaled(cols, load<f64>(pivot + ((<usize>(n - 1)) << 3)), Y, Y);
  for (let i = n - 2; i >= 0; i--) {
    const at = (<usize>i) << 3;
    const w = load<f64>(pivot + at);
    Y -= ld;
    rowFrom(cols, w * load<f64>(upper + at), Y + ld, w, Y, Y);
  }
}

/** y ← w·x − c·z */
@inline
function rowFrom(cols: i32, c: f64, z: usize, w: f64, x: usize, y: usize): void {
  const cc = f64x2.splat(c);
  const ww = f64x2.splat(w);
  for (const even = y + ((<usize>(cols & ~1)) << 3); y < even; y += 16) {
    v128.store(y, nmadd(cc, v128.load(z), f64x2.mul(ww, v128.load(x))));
    z += 16;
    x += 16;
  }
  if (cols & 1) store<f64>(y, w * load<f64>(x) - c * load<f64>(z));
}
