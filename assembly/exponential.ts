/**
 * eˣ and eˣ − 1 in two lanes, within 1 ulp. x = n·ln 2 + r with |r| ≤ ½ln 2, ln 2 in two parts [Cody and Waite 1980]; then
 *
 *     eʳ = 1 + r + r²·q(r),     eˣ = 2ⁿ·eʳ,     eˣ − 1 = 2ⁿ·((1 − 2⁻ⁿ) + r + r²·q(r)),
 *
 * q of degree 10, interpolated at Chebyshev points: its error is 3e-19 of eʳ.
 */
import {
  HALF, HIGHEST, LN2_HIGH, LN2_LOW, LOG2_E, LOWEST, MAGIC, MINUS_FORTY, both, ONE, ONE_BITS, Q1, Q10, Q2, Q3, Q4, Q5, Q6, Q7, Q8, Q9,
  SIGN, SIXTY_FOUR,
} from "./constants";
import { madd, nmadd } from "./lanes";

/** n + MAGIC for the n of x */
@inline
export function shifted(x: v128): v128 {
  return madd(x, both(LOG2_E), both(MAGIC));
}

/** 2ⁿ from the bits of n + MAGIC, or of n itself as an integer; −1022 ≤ n ≤ 1023 */
@inline
export function power(bits: v128): v128 {
  return i64x2.add(i64x2.shl(bits, 52), both(ONE_BITS));
}

/** y·2ⁿ in two factors, so that y·2ⁿ may be subnormal, or 2ⁿ too large */
@inline
function scaled(y: v128, n: v128, bits: v128): v128 {
  const half = madd(n, both(HALF), both(MAGIC));
  return f64x2.mul(f64x2.mul(y, power(half)), power(i64x2.sub(bits, half)));
}

/** r²·q(r) */
@inline
export function curved(r: v128): v128 {
  const r2 = f64x2.mul(r, r);
  const r4 = f64x2.mul(r2, r2);
  const a = madd(r, both(Q1), both(HALF));
  const b = madd(r, both(Q3), both(Q2));
  const c = madd(r, both(Q5), both(Q4));
  const d = madd(r, both(Q7), both(Q6));
  const e = madd(r, both(Q9), both(Q8));
  const high = madd(r4, madd(r2, both(Q10), e), madd(r2, d, c));
  return f64x2.mul(r2, madd(r4, high, madd(r2, b, a)));
}

@inline
export function exp(x: v128): v128 {
  // beyond these the result is 0 or ∞; NaN passes
  const y = f64x2.pmax(f64x2.pmin(x, both(HIGHEST)), both(LOWEST));
  const bits = shifted(y);
  const n = f64x2.sub(bits, both(MAGIC));
  const r = nmadd(n, both(LN2_LOW), nmadd(n, both(LN2_HIGH), y));
  return scaled(f64x2.add(both(ONE), f64x2.add(r, curved(r))), n, bits);
}

@inline
export function expm1(x: v128): v128 {
  const y = f64x2.pmax(f64x2.pmin(x, both(HIGHEST)), both(MINUS_FORTY));
  const bits = shifted(y);
  const n = f64x2.sub(bits, both(MAGIC));
  const t = nmadd(n, both(LN2_HIGH), y);
  const r = nmadd(n, both(LN2_LOW), t);
  // 1 − 2⁻ⁿ is 1 from n = 54 on
  const opposite = f64x2.sub(both(MAGIC), f64x2.pmin(n, both(SIXTY_FOUR)));
  const one = f64x2.sub(both(ONE), power(opposite));
  return withSign(scaled(added(one, r, f64x2.add(curved(r), lostBy(n, t, r))), n, bits), x);
}

/** what r = t − n·LN2_LOW has lost by rounding */
@inline
export function lostBy(n: v128, t: v128, r: v128): v128 {
  return nmadd(n, both(LN2_LOW), f64x2.sub(t, r));
}

/** a + r + q for |a| ≥ |r| or a = 0, and a small q; a + r is rounded once, its error kept [Dekker 1971] */
@inline
export function added(a: v128, r: v128, q: v128): v128 {
  const s = f64x2.add(a, r);
  return f64x2.add(s, f64x2.add(f64x2.sub(r, f64x2.sub(s, a)), q));
}

/** |y| with the sign of x */
@inline
export function withSign(y: v128, x: v128): v128 {
  return v128.bitselect(y, x, both(SIGN));
}
