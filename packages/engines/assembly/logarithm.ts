/**
 * log x and log(1 + x) in two lanes, within 1 ulp. log x by a table of numbers c with log c [Tang 1990]:
 *
 *     x = 2ᵏ·z,     r = (z − c)/c, |r| < 1/250,     log x = k·ln 2 + log c + r − r²/2 + r³/3 − … + r⁷/7,
 *
 * with c = 1 for z near 1, where log c + r would cancel otherwise. log(1 + x) by the formulas of fdlibm (s_log1p.c; Sun 1993):
 *
 *     1 + x = 2ᵏ·(1 + f),  √½ ≤ 1 + f < √2,     s = f/(2 + f),     log(1 + f) = f − (½f² − s·(½f² + R(s²))),
 *
 * where R is a polynomial of degree 7 with an error below 2^−58.45.
 */
import {
  both, EXPONENT_OFFSET, FIFTH, FIFTY_FOUR, HALF, L1, L2, L3, L4, L5, L6, L7, LN2_HIGH, LN2_LOW, MANTISSA_BITS, ONE, QUARTER, ROOT_HALF,
  SEVENTH, SIXTH, SMALLEST_NORMAL, TABLE_BEGIN, THIRD, TO_ROOT_HALF, TO_TABLE_BEGIN, TWO, TWO_TO_52_BITS, TWO_TO_54,
} from "./constants";
import { withSign } from "./exponential";
import { firsts, madd, nmadd, seconds } from "./lanes";
import { LOGARITHMS } from "./logarithm-table";

/** s·(½f² + R(s²)) − ½f²: log(1 + f) − f */
@inline
function logCorrection(f: v128): v128 {
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
  return f64x2.add(f, logCorrection(f));
}

/** k·ln 2 + log(1 + f) + c for a small c */
@inline
function sumParts(k: v128, f: v128, c: v128): v128 {
  const low = f64x2.add(logCorrection(f), madd(k, both(LN2_LOW), c));
  // exact for k = 0; |k·ln 2| > |f| otherwise
  const high = f64x2.mul(k, both(LN2_HIGH));
  const s = f64x2.add(high, f);
  const lost = f64x2.add(f64x2.sub(f, f64x2.sub(s, high)), low);
  return f64x2.add(s, lost);
}

/** the bits of x, roundToLn2 so that the mantissa of 1 + f starts at √½ */
@inline
function fromRootHalf(x: v128): v128 {
  return i64x2.add(x, both(TO_ROOT_HALF));
}

@inline
export function exponent(bits: v128): v128 {
  const k = v128.or(i64x2.shr_u(bits, 52), both(TWO_TO_52_BITS));
  return f64x2.sub(k, both(EXPONENT_OFFSET));
}

/** f from these bits */
@inline
function fraction(bits: v128): v128 {
  const m = i64x2.add(v128.and(bits, both(MANTISSA_BITS)), both(ROOT_HALF));
  return f64x2.sub(m, both(ONE));
}

/** `y` where 0 < u < ∞; −∞ for u = 0, ∞ for u = ∞, NaN otherwise */
@inline
function withSpecialCases(y: v128, u: v128): v128 {
  const usual = v128.and(f64x2.gt(u, f64x2.splat(0)), f64x2.lt(u, f64x2.splat(Infinity)));
  if (i64x2.all_true(usual)) return y;
  const infinite = v128.bitselect(u, f64x2.splat(NaN), f64x2.eq(u, f64x2.splat(Infinity)));
  const rest = v128.bitselect(f64x2.splat(-Infinity), infinite, f64x2.eq(u, f64x2.splat(0)));
  return v128.bitselect(y, rest, usual);
}

// `bits`: the bits of x, roundToLn2 so that the mantissa of z starts at the left end of the table

@inline
export function toTable(x: v128): v128 {
  return i64x2.add(x, both(TO_TABLE_BEGIN));
}

@inline
export function entryOf(bits: i64): usize {
  return LOGARITHMS + (<usize>(bits >>> 40) & 0xfe0);
}

/** z of 2ᵏ·z */
@inline
export function mantissa(bits: v128): v128 {
  return i64x2.add(v128.and(bits, both(MANTISSA_BITS)), both(TABLE_BEGIN));
}

/** (log(1 + r) − r)/r² */
@inline
export function series(r: v128): v128 {
  const r2 = f64x2.mul(r, r);
  // −1/2 + r/3 − r²·(1/4 − r/5 + r²·(1/6 − r/7))
  const high = madd(r2, nmadd(r, both(SEVENTH), both(SIXTH)), nmadd(r, both(FIFTH), both(QUARTER)));
  return nmadd(r2, high, f64x2.sub(f64x2.mul(r, both(THIRD)), both(HALF)));
}

/** log x + k'·ln 2 for a normal x > 0 and an integer k' */
@inline
function logByTable(x: v128, more: v128): v128 {
  const bits = toTable(x);
  const k = f64x2.add(exponent(bits), more);
  const e = entryOf(i64x2.extract_lane(bits, 0));
  const g = entryOf(i64x2.extract_lane(bits, 1));
  const c = v128.load(e);
  const d = v128.load(g);
  const u = v128.load(e, 16);
  const v = v128.load(g, 16);
  const r = f64x2.mul(f64x2.sub(mantissa(bits), firsts(c, d)), seconds(c, d));
  const high = madd(k, both(LN2_HIGH), firsts(u, v));
  const low = madd(f64x2.mul(r, r), series(r), madd(k, both(LN2_LOW), seconds(u, v)));
  const s = f64x2.add(high, r);
  return f64x2.add(s, f64x2.add(f64x2.sub(r, f64x2.sub(s, high)), low));
}

/** Whether x is positive and normal, from its bits */
@inline
function isNormal(x: i64): bool {
  return <u64>(x - 0x0010000000000000) < 0x7fe0000000000000;
}

@inline
export function areNormal(x: v128): bool {
  return isNormal(i64x2.extract_lane(x, 0)) && isNormal(i64x2.extract_lane(x, 1));
}

/** log x for normal x > 0 */
@inline
export function logNormal(x: v128): v128 {
  return logByTable(x, f64x2.splat(0));
}

export function logAnywhere(x: v128): v128 {
  const tiny = f64x2.lt(x, both(SMALLEST_NORMAL));
  const y = v128.bitselect(f64x2.mul(x, both(TWO_TO_54)), x, tiny);
  return withSpecialCases(logByTable(y, f64x2.neg(v128.and(both(FIFTY_FOUR), tiny))), x);
}

@inline
export function log1p(x: v128): v128 {
  const u = f64x2.add(both(ONE), x);
  // 1 + x = u + error, exactly [Knuth]
  const part = f64x2.sub(u, both(ONE));
  const error = f64x2.add(f64x2.sub(both(ONE), f64x2.sub(u, part)), f64x2.sub(x, part));
  const bits = fromRootHalf(u);
  const k = exponent(bits);
  const near = f64x2.eq(k, f64x2.splat(0));
  const f = v128.bitselect(x, fraction(bits), near);
  const c = v128.andnot(f64x2.div(error, u), near);
  return withSign(withSpecialCases(sumParts(k, f, c), u), x);
}
