/**
 * tanh, log cosh, log(1 + eˣ) and 1/(1 + e⁻ˣ) in two lanes, within 2 ulp (log cosh: 4) for every x, without overflow or cancellation. A
 * function and its derivative share the exponential, so that both together cost little more than one.
 */
import {
  both, HALF, HALVE_FROM, LN2_HIGH, LN2_LOW, MAGIC, MINUS_FORTY, MINUS_TWO, ONE, QUARTER, SINH_BELOW, TWO,
} from "./constants";
import { secondOrder, exp, roundingError, powerOfTwo, roundToLn2, withSign } from "./exponential";
import { madd, nmadd, select } from "./lanes";
import { log1pNear } from "./logarithm";

/** z = max(−2|x|, −40); beyond −40 no result changes */
@inline
function minusTwice(x: v128): v128 {
  return f64x2.pmax(f64x2.mul(f64x2.abs(x), both(MINUS_TWO)), both(MINUS_FORTY));
}

// z = n·ln 2 + r with p = 2ⁿ and q = eʳ − 1 − r: eᶻ = p + p·(r + q), eᶻ − 1 = (p − 1) + p·r + p·q

@inline
function highRest(z: v128, n: v128): v128 {
  return nmadd(n, both(LN2_HIGH), z);
}

@inline
function lowRest(n: v128, t: v128): v128 {
  return nmadd(n, both(LN2_LOW), t);
}

/** tanh |x| = −E/(2 + E), E = e^(−2|x|) − 1 */
@inline
export function tanhOf(E: v128, x: v128): v128 {
  return withSign(f64x2.div(E, f64x2.add(both(TWO), E)), x);
}

/**
 * log cosh x = ½·log(1 + sinh²x) with sinh²x = E²/(4(1 + E)) for |x| < 0.6, where sinh²x < √2 − 1;
 * |x| − log 2 + log(1 + e^(−2|x|)) for larger |x|.
 */
@inline
export function logcoshOf(E: v128, t: v128, x: v128): v128 {
  const a = f64x2.abs(x);
  const near = f64x2.lt(a, both(SINH_BELOW));
  const w = select(f64x2.div(f64x2.mul(f64x2.mul(E, E), both(QUARTER)), t), t, near);
  const L = log1pNear(w);
  const far = f64x2.add(f64x2.sub(a, both(LN2_HIGH)), f64x2.sub(L, both(LN2_LOW)));
  return select(f64x2.mul(both(HALF), L), far, near);
}

/** E = e^(−2|x|) − 1 */
@inline
export function doubledExpm1(x: v128): v128 {
  const z = minusTwice(x);
  const bits = roundToLn2(z);
  const n = f64x2.sub(bits, both(MAGIC));
  const t = highRest(z, n);
  const r = lowRest(n, t);
  const p = powerOfTwo(bits);
  const q = f64x2.add(secondOrder(r), roundingError(n, t, r));
  return madd(p, f64x2.add(r, q), f64x2.sub(p, both(ONE)));
}

/** e^(−2|x|); where both are computed, V8 computes their common part once */
@inline
export function doubledExp(x: v128): v128 {
  const z = minusTwice(x);
  const bits = roundToLn2(z);
  const n = f64x2.sub(bits, both(MAGIC));
  const t = highRest(z, n);
  const r = lowRest(n, t);
  const p = powerOfTwo(bits);
  const q = f64x2.add(secondOrder(r), roundingError(n, t, r));
  return madd(p, f64x2.add(r, q), p);
}

@inline
export function tanh(x: v128): v128 {
  return tanhOf(doubledExpm1(x), x);
}

/** log(1 + eˣ) = max(x, 0) + log(1 + t), t = e^−|x|; log(1 + t) = log 2 + log(1 + (t − 1)/2) for t near 1 */
@inline
export function softplusOf(t: v128, x: v128): v128 {
  const big = f64x2.gt(t, both(HALVE_FROM));
  const f = select(f64x2.mul(both(HALF), f64x2.sub(t, both(ONE))), t, big);
  const low = f64x2.add(log1pNear(f), v128.and(both(LN2_LOW), big));
  return f64x2.add(f64x2.pmax(f64x2.splat(0), x), f64x2.add(v128.and(both(LN2_HIGH), big), low));
}

/** 1/(1 + t) for x ≥ 0, t/(1 + t) for x < 0 */
@inline
export function sigmoidOf(t: v128, x: v128): v128 {
  const above = select(t, both(ONE), f64x2.lt(x, f64x2.splat(0)));
  return f64x2.div(above, f64x2.add(both(ONE), t));
}

@inline
export function sigmoid(x: v128): v128 {
  return sigmoidOf(exp(f64x2.neg(f64x2.abs(x))), x);
}
