/** Numbers in sentences, formatted alike everywhere, so that two of them can be compared at a glance. */

/** 0.0123, 1.23, 123, and with an exponent where |x| < 10⁻² or ≥ 10^digits: 1.23e-3, 1.00e-6, 1.23e5 */
export function digits(x: number, digits = 3): string {
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const exponential = x.toExponential(digits - 1);
  const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
  return exponent < -2 || exponent >= digits ? exponential.replace("e+", "e") : x.toPrecision(digits);
}
