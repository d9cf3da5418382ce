/**
 * log x and log(1 + x) in two lanes, within 1 ulp, by the formulas of fdlibm (e_log.c, s_log1p.c; Sun 1993):
 *
 *     x = 2ᵏ·(1 + f),  √½ ≤ 1 + f < √2,     s = f/(2 + f),     log(1 + f) = f − (½f² − s·(½f² + R(s²))),
 *
 * R a polynomial of degree 7 with an error below 2^−58.45.
 */
import {
  BIASED, FIFTY_FOUR, GROWTH, HALF, L1, L2, L3, L4, L5, L6, L7, LN2_HIGH, LN2_LOW, MANTISSA, MOVE, both, ONE, ROOT_HALF, SMALLEST, TWO,
  WHOLE,
} from "./constants";
import { withSign } from "./exponential";
import { madd } from "./lanes";

/** s·(½f² + R(s²)) − ½f²: log(1 + f) − f */
@inline
function curved(f: v128): v128 {
  const s = f64x2.div(f, f64x2.add(both(TWO), f));
  const z = f64x2.mul(s, s);
  const w = f64x2.mul(z, z);
  const a = madd(w, madd(w, both(L6), both(L4)), both(L2));
  const b = madd(w, both(L7), both(L5));
  const c = madd(w, madd(w, b, both(L3)), both(L1));
  const R = madd(w, a, f64x2.mul(z, c));
  const square = f64x2.mul(both(HALF), f64x2.mul(f, f));
  return f64x2.sub(f64x2.mul(s, f64x2.add(square, R)), square);
}

/** log(1 + f) for √½ − 1 ≤ f < √2 − 1 */
@inline
export function log1pNear(f: v128): v128 {
  return f64x2.add(f, curved(f));
}

/** k·ln 2 + log(1 + f) + c for a small c */
@inline
function assembled(k: v128, f: v128, c: v128): v128 {
  const low = f64x2.add(curved(f), madd(k, both(LN2_LOW), c));
  // k = 0 must leave f + curved(f) alone; otherwise |k·ln 2| > |f|
  const high = f64x2.mul(k, both(LN2_HIGH));
  const s = f64x2.add(high, f);
  const lost = f64x2.add(f64x2.sub(f, f64x2.sub(s, high)), low);
  return f64x2.add(s, lost);
}

/** the exponent field and mantissa of x moved so that 1 + f begins at √½ */
@inline
function moved(x: v128): v128 {
  return i64x2.add(x, both(MOVE));
}

@inline
function exponent(bits: v128): v128 {
  const k = v128.or(i64x2.shr_u(bits, 52), both(WHOLE));
  return f64x2.sub(k, both(BIASED));
}

/** f */
@inline
function fraction(bits: v128): v128 {
  const m = i64x2.add(v128.and(bits, both(MANTISSA)), both(ROOT_HALF));
  return f64x2.sub(m, both(ONE));
}

/** `y` where 0 < u < ∞, else −∞ for 0, ∞ for ∞, NaN */
@inline
function guarded(y: v128, u: v128): v128 {
  const usual = v128.and(f64x2.gt(u, f64x2.splat(0)), f64x2.lt(u, f64x2.splat(Infinity)));
  if (i64x2.all_true(usual)) return y;
  const infinite = v128.bitselect(u, f64x2.splat(NaN), f64x2.eq(u, f64x2.splat(Infinity)));
  const rest = v128.bitselect(f64x2.splat(-Infinity), infinite, f64x2.eq(u, f64x2.splat(0)));
  return v128.bitselect(y, rest, usual);
}

@inline
export function log(x: v128): v128 {
  // a subnormal x is made a normal one by 2⁵⁴
  const tiny = f64x2.lt(x, both(SMALLEST));
  const bits = moved(v128.bitselect(f64x2.mul(x, both(GROWTH)), x, tiny));
  const k = f64x2.sub(exponent(bits), v128.and(both(FIFTY_FOUR), tiny));
  return guarded(assembled(k, fraction(bits), f64x2.splat(0)), x);
}

@inline
export function log1p(x: v128): v128 {
  const u = f64x2.add(both(ONE), x);
  // 1 + x = u + error, exactly [Knuth]
  const part = f64x2.sub(u, both(ONE));
  const error = f64x2.add(f64x2.sub(both(ONE), f64x2.sub(u, part)), f64x2.sub(x, part));
  const bits = moved(u);
  const k = exponent(bits);
  const near = f64x2.eq(k, f64x2.splat(0));
  const f = v128.bitselect(x, fraction(bits), near);
  const c = v128.andnot(f64x2.div(error, u), near);
  return withSign(guarded(assembled(k, f, c), u), x);
}
