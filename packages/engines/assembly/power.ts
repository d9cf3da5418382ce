/**
 * xᵃ in two lanes, within 1 ulp for normal x > 0 and normal results; others by Math.pow. log x to about 68 bits as in logarithm.ts,
 * with r in two parts; xᵃ = e^(a·log x) as in exponential.ts, with the rounding error of a·log x as a part of r.
 */
import { LN2_HIGH, LN2_LOW, MAGIC, UPPER_BITS, both } from "./constants";
import { areModerate, expRemainder, remainder, tablePower, roundToSteps } from "./exponential";
import { firsts, madd, nmadd, seconds } from "./lanes";
import { areNormal, entryOf, exponent, mantissa, series, toTable } from "./logarithm";

@external("Math", "pow") declare function one(x: f64, a: f64): f64;

/** The upper 26 bits of x, so that products of two such numbers are exact */
@inline
function upper(x: v128): v128 {
  return v128.and(x, both(UPPER_BITS));
}

@inline
export function pow(x: v128, a: v128): v128 {
  if (!areNormal(x)) return powAnywhere(x, a);
  const bits = toTable(x);
  const k = exponent(bits);
  const e = entryOf(i64x2.extract_lane(bits, 0));
  const g = entryOf(i64x2.extract_lane(bits, 1));
  const c = v128.load(e);
  const d = v128.load(g);
  const u = v128.load(e, 16);
  const v = v128.load(g, 16);
  const middle = firsts(c, d);
  const inverse = seconds(c, d);
  // (z − c)/c = r + s; c has 8 bits, so c·r is exact
  const gap = f64x2.sub(mantissa(bits), middle);
  const r = upper(f64x2.mul(gap, inverse));
  const s = f64x2.mul(nmadd(middle, r, gap), inverse);
  // log x = L + l, L with 26 bits
  const high = madd(k, both(LN2_HIGH), firsts(u, v));
  const w = f64x2.add(r, s);
  const low = madd(f64x2.mul(w, w), series(w), f64x2.add(s, madd(k, both(LN2_LOW), seconds(u, v))));
  const sum = f64x2.add(high, r);
  const lost = f64x2.sub(r, f64x2.sub(sum, high));
  const all = f64x2.add(sum, low);
  const L = upper(all);
  const l = f64x2.add(f64x2.add(f64x2.sub(sum, L), low), lost);
  // a·log x = y + rest, y exact
  const A = upper(a);
  const y = f64x2.mul(A, L);
  const rest = madd(f64x2.sub(a, A), L, f64x2.mul(a, l));
  const steps = roundToSteps(y);
  if (!areModerate(steps)) return powAnywhere(x, a);
  const t = f64x2.add(remainder(y, f64x2.sub(steps, both(MAGIC))), rest);
  const p = tablePower(steps);
  return madd(p, f64x2.add(t, expRemainder(t, steps)), p);
}

function powAnywhere(x: v128, a: v128): v128 {
  const first = one(f64x2.extract_lane(x, 0), f64x2.extract_lane(a, 0));
  return f64x2.replace_lane(f64x2.splat(first), 1, one(f64x2.extract_lane(x, 1), f64x2.extract_lane(a, 1)));
}
