/**
 * eˣ and eˣ − 1 in two lanes, within 1 ulp. x = n·h + r with |r| ≤ ½h and h in two parts [Cody and Waite 1980]. For eˣ, h = (ln 2)/128 and
 *
 *     eˣ = 2^(n/128)·(1 + r + r²/2 + … + r⁵/120),
 *
 * with 2^(n/128) and its rounding error from a table [Tang 1989]. For eˣ − 1, h = ln 2 and
 *
 *     eʳ = 1 + r + r²·q(r),     eˣ − 1 = 2ⁿ·((1 − 2⁻ⁿ) + r + r²·q(r)),
 *
 * where q is the interpolation polynomial of degree 10 at Chebyshev points, with an error of 3e-19·eʳ.
 */
import {
  A4, A5, both, EXP_HIGHEST, EXP_LOWEST, HALF, LAST_7_BITS, LN2_HIGH, LN2_LOW, LOG2_E, MAGIC, MAGNITUDE_BITS, MINUS_FORTY, ONE,
  ONE_128TH, ONE_BITS, Q1, Q10, Q2, Q3, Q4, Q5, Q6, Q7, Q8, Q9, SIXTH, SIXTY_FOUR, STEP_HIGH, STEP_LOW, STEPS_PER_UNIT,
} from "./constants";
import { EXPONENTIALS } from "./exponential-table";
import { firsts, madd, nmadd, seconds } from "./lanes";

/** n + MAGIC, n = x/(ln 2) rounded */
@inline
export function roundToLn2(x: v128): v128 {
  return madd(x, both(LOG2_E), both(MAGIC));
}

/** 2ⁿ from the bits of n + MAGIC, or from the integer n; −1022 ≤ n ≤ 1023 */
@inline
export function powerOfTwo(bits: v128): v128 {
  return i64x2.add(i64x2.shl(bits, 52), both(ONE_BITS));
}

/** y·2ⁿ with 2ⁿ in two factors, as y·2ⁿ may be subnormal and 2ⁿ may overflow */
@inline
function scaleByPower(y: v128, n: v128, bits: v128): v128 {
  const half = madd(n, both(HALF), both(MAGIC));
  return f64x2.mul(f64x2.mul(y, powerOfTwo(half)), powerOfTwo(i64x2.sub(bits, half)));
}

/** r²·q(r) */
@inline
export function secondOrder(r: v128): v128 {
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
export function roundToSteps(x: v128): v128 {
  return madd(x, both(STEPS_PER_UNIT), both(MAGIC));
}

@inline
export function remainder(x: v128, n: v128): v128 {
  return nmadd(n, both(STEP_LOW), nmadd(n, both(STEP_HIGH), x));
}

/** The address of the entry of the table for 2^(n/128) */
@inline
function entry(n: i64): usize {
  return EXPONENTIALS + ((<usize>n & 127) << 4);
}

/** eˣ/2^(n/128) − 1 − r, corrected by the rounding error of 2^(n/128) */
@inline
export function expRemainder(r: v128, bits: v128): v128 {
  const lost = firsts(v128.load(entry(i64x2.extract_lane(bits, 0))), v128.load(entry(i64x2.extract_lane(bits, 1))));
  const r2 = f64x2.mul(r, r);
  const q = madd(r2, madd(r, both(A5), both(A4)), madd(r, both(SIXTH), both(HALF)));
  return madd(r2, q, lost);
}

/** The second words of the entries for 2^(n/128) */
@inline
function tableEntry(bits: v128): v128 {
  return seconds(v128.load(entry(i64x2.extract_lane(bits, 0))), v128.load(entry(i64x2.extract_lane(bits, 1))));
}

/** 2^(n/128), a normal number */
@inline
export function tablePower(bits: v128): v128 {
  return i64x2.add(tableEntry(bits), i64x2.shl(bits, 45));
}

/** Whether |n| < 2¹⁰·127, so that 2^(n/128) and eˣ are normal numbers; n in the last bits of a double */
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
  const bits = roundToSteps(x);
  if (!areModerate(bits)) return expAnywhere(x);
  const r = remainder(x, f64x2.sub(bits, both(MAGIC)));
  const p = tablePower(bits);
  return madd(p, f64x2.add(r, expRemainder(r, bits)), p);
}

/** eˣ for every x, also if the result is subnormal, 0, ∞ or NaN */
export function expAnywhere(x: v128): v128 {
  const y = f64x2.pmax(f64x2.pmin(x, both(EXP_HIGHEST)), both(EXP_LOWEST));
  const bits = roundToSteps(y);
  const n = f64x2.sub(bits, both(MAGIC));
  const p = i64x2.add(tableEntry(bits), i64x2.shl(v128.and(bits, both(LAST_7_BITS)), 45));
  const r = remainder(y, n);
  const whole = f64x2.floor(f64x2.mul(n, both(ONE_128TH)));
  return scaleByPower(madd(p, f64x2.add(r, expRemainder(r, bits)), p), whole, f64x2.add(whole, both(MAGIC)));
}

@inline
export function expm1(x: v128): v128 {
  const y = f64x2.pmax(f64x2.pmin(x, both(EXP_HIGHEST)), both(MINUS_FORTY));
  const bits = roundToLn2(y);
  const n = f64x2.sub(bits, both(MAGIC));
  const t = nmadd(n, both(LN2_HIGH), y);
  const r = nmadd(n, both(LN2_LOW), t);
  // 1 − 2⁻ⁿ is 1 from n = 54 on
  const opposite = f64x2.sub(both(MAGIC), f64x2.pmin(n, both(SIXTY_FOUR)));
  const one = f64x2.sub(both(ONE), powerOfTwo(opposite));
  return withSign(scaleByPower(compensatedSum(one, r, f64x2.add(secondOrder(r), roundingError(n, t, r))), n, bits), x);
}

/** the rounding error of r = t − n·LN2_LOW */
@inline
export function roundingError(n: v128, t: v128, r: v128): v128 {
  return nmadd(n, both(LN2_LOW), f64x2.sub(t, r));
}

/** a + r + q for |a| ≥ |r| or a = 0, and a small q; the rounding error of a + r is added to q [Dekker 1971] */
@inline
export function compensatedSum(a: v128, r: v128, q: v128): v128 {
  const s = f64x2.add(a, r);
  return f64x2.add(s, f64x2.add(f64x2.sub(r, f64x2.sub(s, a)), q));
}

/** |y| with the sign of x */
@inline
export function withSign(y: v128, x: v128): v128 {
  return v128.bitselect(y, x, both(MAGNITUDE_BITS));
}
