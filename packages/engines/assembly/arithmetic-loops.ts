/**
 * Loops of arithmetic over a tile, z ← op(x, y, w). `op` is a constant at each inlined call, so the compiler removes the branches on it.
 * The usual combinations of matrices and constants are unrolled by four pairs, with constant offsets as addresses.
 */
import { madd } from "./lanes";

// operations of one operand, then those of two
export const COPY = 0;
export const NEG = 1;
export const ABS = 2;
export const SIGN = 3;
export const SQUARE = 4;
export const RECIPROCAL = 5;
export const ROOT = 6;
export const ADD = 7;
export const SUB = 8;
export const MUL = 9;
export const DIV = 10;
export const MAX = 11;
export const MIN = 12;
export const LESS = 13;

@inline
function sign(x: v128): v128 {
  const zero = f64x2.splat(0);
  const one = v128.or(f64x2.splat(1), v128.and(x, f64x2.splat(-0.0)));
  return v128.bitselect(one, x, v128.or(f64x2.lt(x, zero), f64x2.gt(x, zero)));
}

@inline
function one(op: i32, a: v128): v128 {
  if (op == NEG) return f64x2.neg(a);
  if (op == ABS) return f64x2.abs(a);
  if (op == SIGN) return sign(a);
  if (op == SQUARE) return f64x2.mul(a, a);
  if (op == RECIPROCAL) return f64x2.div(f64x2.splat(1), a);
  if (op == ROOT) return f64x2.sqrt(a);
  return a;
}

@inline
function two(op: i32, a: v128, b: v128): v128 {
  if (op == ADD) return f64x2.add(a, b);
  if (op == SUB) return f64x2.sub(a, b);
  if (op == MUL) return f64x2.mul(a, b);
  if (op == DIV) return f64x2.div(a, b);
  if (op == MAX) return f64x2.max(a, b);
  if (op == MIN) return f64x2.min(a, b);
  return v128.and(f64x2.lt(a, b), f64x2.splat(1));
}

// bytes from a pair of x, y, w to the next: dx, dy, dw = 16, or 0 for a constant

@inline
export function unary(op: i32, bytes: usize, z: usize, x: usize, dx: usize): void {
  const end = z + bytes;
  if (dx) {
    for (const last = z + (bytes & ~63); z < last; z += 64, x += 64) {
      v128.store(z, one(op, v128.load(x)));
      v128.store(z, one(op, v128.load(x, 16)), 16);
      v128.store(z, one(op, v128.load(x, 32)), 32);
      v128.store(z, one(op, v128.load(x, 48)), 48);
    }
  }
  for (; z < end; z += 16, x += dx) v128.store(z, one(op, v128.load(x)));
}

@inline
export function binary(op: i32, bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  const end = z + bytes;
  const last = z + (bytes & ~63);
  if (dx & dy) {
    for (; z < last; z += 64, x += 64, y += 64) {
      v128.store(z, two(op, v128.load(x), v128.load(y)));
      v128.store(z, two(op, v128.load(x, 16), v128.load(y, 16)), 16);
      v128.store(z, two(op, v128.load(x, 32), v128.load(y, 32)), 32);
      v128.store(z, two(op, v128.load(x, 48), v128.load(y, 48)), 48);
    }
  } else if (dx) {
    const c = v128.load(y);
    for (; z < last; z += 64, x += 64) {
      v128.store(z, two(op, v128.load(x), c));
      v128.store(z, two(op, v128.load(x, 16), c), 16);
      v128.store(z, two(op, v128.load(x, 32), c), 32);
      v128.store(z, two(op, v128.load(x, 48), c), 48);
    }
  }
  for (; z < end; z += 16, x += dx, y += dy) v128.store(z, two(op, v128.load(x), v128.load(y)));
}

export function muladds(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize, w: usize, dw: usize): void {
  const end = z + bytes;
  const last = z + (bytes & ~63);
  if (dx & dy & dw) {
    for (; z < last; z += 64, x += 64, y += 64, w += 64) {
      v128.store(z, madd(v128.load(x), v128.load(y), v128.load(w)));
      v128.store(z, madd(v128.load(x, 16), v128.load(y, 16), v128.load(w, 16)), 16);
      v128.store(z, madd(v128.load(x, 32), v128.load(y, 32), v128.load(w, 32)), 32);
      v128.store(z, madd(v128.load(x, 48), v128.load(y, 48), v128.load(w, 48)), 48);
    }
  } else if (dx & dw) {
    const c = v128.load(y);
    for (; z < last; z += 64, x += 64, w += 64) {
      v128.store(z, madd(v128.load(x), c, v128.load(w)));
      v128.store(z, madd(v128.load(x, 16), c, v128.load(w, 16)), 16);
      v128.store(z, madd(v128.load(x, 32), c, v128.load(w, 32)), 32);
      v128.store(z, madd(v128.load(x, 48), c, v128.load(w, 48)), 48);
    }
  } else if (dx && !dy && !dw) {
    const c = v128.load(y);
    const d = v128.load(w);
    for (; z < last; z += 64, x += 64) {
      v128.store(z, madd(v128.load(x), c, d));
      v128.store(z, madd(v128.load(x, 16), c, d), 16);
      v128.store(z, madd(v128.load(x, 32), c, d), 32);
      v128.store(z, madd(v128.load(x, 48), c, d), 48);
    }
  }
  for (; z < end; z += 16, x += dx, y += dy, w += dw) v128.store(z, madd(v128.load(x), v128.load(y), v128.load(w)));
}
