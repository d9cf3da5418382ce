/**
 * eˣ and eˣ − 1 in two lanes, within 1 ulp. x = n·h + r with |r| ≤ ½h, h in two parts [Cody and Waite 1980]. For eˣ, h = (ln 2)/128 and
 *
 *     eˣ = 2^(n/128)·(1 + r + r²/2 + … + r⁵/120),
 *
 * 2^(n/128) with what it has lost by rounding from a table [Tang 1989]. For eˣ − 1, h = ln 2 and
 *
 *     eʳ = 1 + r + r²·q(r),     eˣ − 1 = 2ⁿ·((1 − 2⁻ⁿ) + r + r²·q(r)),
 *
 * q of degree 10, interpolated at Chebyshev points: its error is 3e-19 of eʳ.
 */
import {
  A4, A5, LAST7, ONE_128TH, SIXTH, STEPS, STEP_HIGH, STEP_LOW,
  HALF, HIGHEST, LN2_HIGH, LN2_LOW, LOG2_E, LOWEST, MAGIC, MINUS_FORTY, both, ONE, ONE_BITS, Q1, Q10, Q2, Q3, Q4, Q5, Q6, Q7, Q8, Q9,
  SIGN, SIXTY_FOUR,
} from "./constants";
import { EXPONENTIALS } from "./exponential-table";
import { firsts, madd, nmadd, seconds } from "./lanes";

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

// x = n·(ln 2)/128 + r; `bits` are those of n + MAGIC

@inline
export function stepsOf(x: v128): v128 {
  return madd(x, both(STEPS), both(MAGIC));
}

@inline
export function beyondSteps(x: v128, n: v128): v128 {
  return nmadd(n, both(STEP_LOW), nmadd(n, both(STEP_HIGH), x));
}

/** Where the table has 2^(n/128) for the n of lane 0 or 1 */
@inline
function entry(n: i64): usize {
  return EXPONENTIALS + ((<usize>n & 127) << 4);
}

/** eˣ/2^(n/128) − 1 − r, with the error of the table */
@inline
export function beyondPower(r: v128, bits: v128): v128 {
  const lost = firsts(v128.load(entry(i64x2.extract_lane(bits, 0))), v128.load(entry(i64x2.extract_lane(bits, 1))));
  const r2 = f64x2.mul(r, r);
  const q = madd(r2, madd(r, both(A5), both(A4)), madd(r, both(SIXTH), both(HALF)));
  return madd(r2, q, lost);
}

/** The number at 2^(n/128) in the table, its bits less those of n mod 128 */
@inline
function tabled(bits: v128): v128 {
  return seconds(v128.load(entry(i64x2.extract_lane(bits, 0))), v128.load(entry(i64x2.extract_lane(bits, 1))));
}

/** 2^(n/128), a normal number */
@inline
export function powerOf(bits: v128): v128 {
  return i64x2.add(tabled(bits), i64x2.shl(bits, 45));
}

/** Whether |n| < 2¹⁰·127, so that 2^(n/128) and what is near it are normal numbers: n in the last bits of a double */
@inline
function isModerate(n: i64): bool {
  return <u64>(n - (0x4338000000000000 - 130048)) < 260096;
}

@inline
export function areModerate(bits: v128): bool {
  return isModerate(i64x2.extract_lane(bits, 0)) && isModerate(i64x2.extract_lane(bits, 1));
}

@inline
export function exp(x: v128): v128 {
  const bits = stepsOf(x);
  if (!areModerate(bits)) return expAnywhere(x);
  const r = beyondSteps(x, f64x2.sub(bits, both(MAGIC)));
  const p = powerOf(bits);
  return madd(p, f64x2.add(r, beyondPower(r, bits)), p);
}

/** eˣ where it may be subnormal, 0, ∞ or NaN */
export function expAnywhere(x: v128): v128 {
  const y = f64x2.pmax(f64x2.pmin(x, both(HIGHEST)), both(LOWEST));
  const bits = stepsOf(y);
  const n = f64x2.sub(bits, both(MAGIC));
  const p = i64x2.add(tabled(bits), i64x2.shl(v128.and(bits, both(LAST7)), 45));
  const r = beyondSteps(y, n);
  const whole = f64x2.floor(f64x2.mul(n, both(ONE_128TH)));
  return scaled(madd(p, f64x2.add(r, beyondPower(r, bits)), p), whole, f64x2.add(whole, both(MAGIC)));
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
