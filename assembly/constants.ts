/**
 * Numbers of the elementary functions, in memory: one load gives both lanes, while V8 makes a vector constant anew, in several
 * instructions, wherever it stands.
 */

/** the number at p in both lanes */
@inline
export function both(p: usize): v128 {
  return v128.load64_splat(p);
}

export const HALF = memory.data<f64>([0.5]);
export const QUARTER = memory.data<f64>([0.25]);
export const ONE = memory.data<f64>([1]);
export const TWO = memory.data<f64>([2]);
export const MINUS_TWO = memory.data<f64>([-2]);
export const MINUS_FORTY = memory.data<f64>([-40]);
export const FIFTY_FOUR = memory.data<f64>([54]);
export const SIXTY_FOUR = memory.data<f64>([64]);

/** beyond these eˣ is ∞ or 0 */
export const HIGHEST = memory.data<f64>([710]);
export const LOWEST = memory.data<f64>([-746]);
/** 1.5·2⁵²: a number added to it is rounded to a whole one, which then stands in the last bits */
export const MAGIC = memory.data<f64>([6755399441055744]);
export const LOG2_E = memory.data<f64>([1.4426950408889634]);
/** log 2 in two parts; the first ends with 21 zero bits, so that n times it is exact */
export const LN2_HIGH = memory.data<f64>([6.93147180369123816490e-1]);
export const LN2_LOW = memory.data<f64>([1.90821492927058770002e-10]);

/** q(r) = ½ + Q1·r + Q2·r² + …, near (eʳ − 1 − r)/r² */
export const Q1 = memory.data<f64>([0.1666666666666667]);
export const Q2 = memory.data<f64>([0.04166666666666667]);
export const Q3 = memory.data<f64>([0.008333333333326136]);
export const Q4 = memory.data<f64>([0.0013888888888883748]);
export const Q5 = memory.data<f64>([0.00019841269874820627]);
export const Q6 = memory.data<f64>([2.4801587325547743e-5]);
export const Q7 = memory.data<f64>([2.7557255400206422e-6]);
export const Q8 = memory.data<f64>([2.75572736431103e-7]);
export const Q9 = memory.data<f64>([2.5105217004720745e-8]);
export const Q10 = memory.data<f64>([2.0914686968086876e-9]);

/** R(z) = L1·z + L2·z² + … of fdlibm's logarithm */
export const L1 = memory.data<f64>([0.6666666666666735130]);
export const L2 = memory.data<f64>([0.3999999999940941908]);
export const L3 = memory.data<f64>([0.2857142874366239149]);
export const L4 = memory.data<f64>([0.2222219843214978396]);
export const L5 = memory.data<f64>([0.1818357216161805012]);
export const L6 = memory.data<f64>([0.1531383769920937332]);
export const L7 = memory.data<f64>([0.1479819860511658591]);
/** 2⁵² + 1023: a biased exponent added to 2⁵² less this is the exponent */
export const BIASED = memory.data<f64>([4503599627371519]);
/** the smallest normal number, and 2⁵⁴, which makes a subnormal one normal */
export const SMALLEST = memory.data<f64>([2.2250738585072014e-308]);
export const GROWTH = memory.data<f64>([18014398509481984]);

/** log cosh: below it by sinh */
export const NEAR = memory.data<f64>([0.6]);
/** just below √2 − 1 */
export const BIG = memory.data<f64>([0.4142]);

// bits
export const SIGN = memory.data<u64>([0x7fffffffffffffff]);
export const ONE_BITS = memory.data<u64>([0x3ff0000000000000]);
export const ROOT_HALF = memory.data<u64>([0x3fe6a09e667f3bcd]);
/** those of 1 less those of √½ */
export const MOVE = memory.data<u64>([0x00095f619980c433]);
export const MANTISSA = memory.data<u64>([0x000fffffffffffff]);
/** those of 2⁵² */
export const WHOLE = memory.data<u64>([0x4330000000000000]);
