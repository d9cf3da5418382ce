/**
 * sin, cos and atan in two lanes, within 1 ulp, with the polynomials of fdlibm (k_sin.c, k_cos.c, s_atan.c; Sun 1993). For sin and cos
 * x = n·π/2 + y with |y| ≤ π/4, π/2 in three parts and y in two; if |x| > 10⁶, by Math.sin and Math.cos.
 */
import {
  both, C1, C2, C3, C4, C5, C6, EIGHTH_PI_TANGENT, HALF, HALF_PI, HALF_PI_1, HALF_PI_2, HALF_PI_3, HALF_PI_REST, LARGEST_ANGLE, MAGIC,
  ONE, QUARTER_PI, QUARTER_PI_REST, S1, S2, S3, S4, S5, S6, T0, T1, T10, T2, T3, T4, T5, T6, T7, T8, T9, THREE_EIGHTHS_PI_TANGENT,
  TWO_OVER_PI,
} from "./constants";
import { withSign } from "./exponential";
import { madd, nmadd } from "./lanes";

@external("Math", "sin") declare function oneSine(x: f64): f64;
@external("Math", "cos") declare function oneCosine(x: f64): f64;

/** n + MAGIC, n = x/(π/2) rounded */
@inline
function quarters(x: v128): v128 {
  return madd(x, both(TWO_OVER_PI), both(MAGIC));
}

// y = first + second, from t = x − n·HALF_PI_1, which is exact, and w = n·HALF_PI_2, which is exact too

/** y = (t − w) − correction */
@inline
function correction(n: v128, t: v128): v128 {
  const w = f64x2.mul(n, both(HALF_PI_2));
  const r = f64x2.sub(t, w);
  return f64x2.sub(f64x2.mul(n, both(HALF_PI_3)), f64x2.sub(f64x2.sub(t, r), w));
}

@inline
function rest(x: v128, n: v128): v128 {
  return f64x2.sub(x, f64x2.mul(n, both(HALF_PI_1)));
}

@inline
function first(n: v128, t: v128): v128 {
  return f64x2.sub(f64x2.sub(t, f64x2.mul(n, both(HALF_PI_2))), correction(n, t));
}

@inline
function second(n: v128, t: v128, y: v128): v128 {
  return f64x2.sub(f64x2.sub(f64x2.sub(t, f64x2.mul(n, both(HALF_PI_2))), y), correction(n, t));
}

@inline
function sineNear(y: v128, yy: v128): v128 {
  const z = f64x2.mul(y, y);
  const v = f64x2.mul(z, y);
  const r = madd(z, madd(z, madd(z, madd(z, both(S6), both(S5)), both(S4)), both(S3)), both(S2));
  const inner = f64x2.mul(z, nmadd(v, r, f64x2.mul(both(HALF), yy)));
  return f64x2.sub(y, nmadd(v, both(S1), f64x2.sub(inner, yy)));
}

@inline
function cosineNear(y: v128, yy: v128): v128 {
  const z = f64x2.mul(y, y);
  const r = f64x2.mul(z, madd(z, madd(z, madd(z, madd(z, madd(z, both(C6), both(C5)), both(C4)), both(C3)), both(C2)), both(C1)));
  const half = f64x2.mul(both(HALF), z);
  const w = f64x2.sub(both(ONE), half);
  return f64x2.add(w, f64x2.add(f64x2.sub(f64x2.sub(both(ONE), w), half), nmadd(y, yy, f64x2.mul(z, r))));
}

/** sin(n·π/2 + y) from sin y and cos y; n in the last bits */
@inline
function fromQuarter(bits: v128, sine: v128, cosine: v128): v128 {
  const odd = i64x2.neg(v128.and(bits, i64x2.splat(1)));
  const sign = i64x2.shl(v128.and(bits, i64x2.splat(2)), 62);
  return v128.xor(v128.bitselect(cosine, sine, odd), sign);
}

@inline
function areSmall(x: v128): bool {
  return i64x2.all_true(f64x2.lt(f64x2.abs(x), both(LARGEST_ANGLE)));
}

@inline
function sinAround(x: v128, more: i64): v128 {
  const bits = quarters(x);
  const n = f64x2.sub(bits, both(MAGIC));
  const t = rest(x, n);
  const y = first(n, t);
  const yy = second(n, t, y);
  return fromQuarter(i64x2.add(bits, i64x2.splat(more)), sineNear(y, yy), cosineNear(y, yy));
}

@inline
export function sin(x: v128): v128 {
  if (areSmall(x)) return sinAround(x, 0);
  return f64x2.replace_lane(f64x2.splat(oneSine(f64x2.extract_lane(x, 0))), 1, oneSine(f64x2.extract_lane(x, 1)));
}

@inline
export function cos(x: v128): v128 {
  if (areSmall(x)) return sinAround(x, 1);
  return f64x2.replace_lane(f64x2.splat(oneCosine(f64x2.extract_lane(x, 0))), 1, oneCosine(f64x2.extract_lane(x, 1)));
}

/** atan |x| = atan t + b: t = |x|, b = 0 up to tan π/8; t = (|x| − 1)/(|x| + 1), b = π/4 up to tan 3π/8; then t = −1/|x|, b = π/2 */
@inline
export function atan(x: v128): v128 {
  const a = f64x2.abs(x);
  const middle = f64x2.gt(a, both(EIGHTH_PI_TANGENT));
  const far = f64x2.gt(a, both(THREE_EIGHTHS_PI_TANGENT));
  const above = v128.bitselect(f64x2.neg(both(ONE)), v128.bitselect(f64x2.sub(a, both(ONE)), a, middle), far);
  const below = v128.bitselect(a, v128.bitselect(f64x2.add(a, both(ONE)), both(ONE), middle), far);
  const t = f64x2.div(above, below);
  const b = v128.bitselect(both(HALF_PI), v128.and(both(QUARTER_PI), middle), far);
  const bb = v128.bitselect(both(HALF_PI_REST), v128.and(both(QUARTER_PI_REST), middle), far);
  const z = f64x2.mul(t, t);
  const w = f64x2.mul(z, z);
  const even = madd(w, madd(w, madd(w, madd(w, madd(w, both(T10), both(T8)), both(T6)), both(T4)), both(T2)), both(T0));
  const odd = madd(w, madd(w, madd(w, madd(w, both(T9), both(T7)), both(T5)), both(T3)), both(T1));
  const curve = f64x2.mul(t, f64x2.mul(z, madd(z, odd, even)));
  return withSign(f64x2.sub(b, f64x2.sub(f64x2.sub(curve, bb), t)), x);
}
