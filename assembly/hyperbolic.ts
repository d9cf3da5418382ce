/** tanh, log cosh, log(1 + eˣ) and 1/(1 + e⁻ˣ) in two lanes, within 2 ulp (log cosh: 3) for every x: no exponential overflows, no digits cancel. */
import { BIG, FORTY, HALF, LN2_HIGH, LN2_LOW, MINUS_FORTY, MINUS_TWO, NEAR, both, ONE, TWO } from "./constants";
import { exp, expm1Within, withSign } from "./exponential";
import { log1pNear } from "./logarithm";

/** tanh |x| = E/(E + 2), E = e^(2|x|) − 1; it is 1 from 2|x| = 40 on */
@inline
export function tanh(x: v128): v128 {
  const a = f64x2.abs(x);
  const E = expm1Within(f64x2.pmin(f64x2.add(a, a), both(FORTY)), false);
  return withSign(f64x2.div(E, f64x2.add(E, both(TWO))), x);
}

/**
 * log cosh x = log(1 + w) with w = cosh x − 1 = E²/(2(1 + E)), E = e^|x| − 1, for |x| < 0.85, where w < √2 − 1;
 * beyond it |x| − log 2 + log(1 + e^(−2|x|)).
 */
@inline
export function logcosh(x: v128): v128 {
  const a = f64x2.abs(x);
  const near = f64x2.lt(a, both(NEAR));
  const z = v128.bitselect(a, f64x2.pmax(f64x2.mul(a, both(MINUS_TWO)), both(MINUS_FORTY)), near);
  const E = expm1Within(z, false);
  const t = f64x2.add(both(ONE), E);
  const w = v128.bitselect(f64x2.div(f64x2.mul(E, E), f64x2.add(t, t)), t, near);
  const high = v128.andnot(f64x2.sub(a, both(LN2_HIGH)), near);
  return f64x2.add(high, f64x2.sub(log1pNear(w), v128.andnot(both(LN2_LOW), near)));
}

/** max(x, 0) + log(1 + t), t = e^−|x|; log(1 + t) = log 2 + log(1 + (t − 1)/2) for t near 1 */
@inline
export function softplus(x: v128): v128 {
  const t = exp(f64x2.neg(f64x2.abs(x)));
  const big = f64x2.gt(t, both(BIG));
  const f = v128.bitselect(f64x2.mul(both(HALF), f64x2.sub(t, both(ONE))), t, big);
  const low = f64x2.add(log1pNear(f), v128.and(both(LN2_LOW), big));
  return f64x2.add(f64x2.pmax(f64x2.splat(0), x), f64x2.add(v128.and(both(LN2_HIGH), big), low));
}

/** 1/(1 + t) for x ≥ 0, t/(1 + t) for x < 0, t = e^−|x| */
@inline
export function sigmoid(x: v128): v128 {
  const t = exp(f64x2.neg(f64x2.abs(x)));
  const above = v128.bitselect(t, both(ONE), f64x2.lt(x, f64x2.splat(0)));
  return f64x2.div(above, f64x2.add(both(ONE), t));
}
