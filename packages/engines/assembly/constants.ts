/**
 * Numbers of the elementary functions, in memory: one load fills both lanes, whereas V8 builds a vector constant by several instructions at
 * each place of use.
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
export const EXP_HIGHEST = memory.data<f64>([710]);
export const EXP_LOWEST = memory.data<f64>([-746]);
/** 1.5·2⁵²: the sum with x is rounded to an integer, the nearest of x, which is in the last bits */
export const MAGIC = memory.data<f64>([6755399441055744]);
export const LOG2_E = memory.data<f64>([1.4426950408889634]);
/** ln 2 in two parts; the first ends with 21 zero bits, so that its product with n is exact */
export const LN2_HIGH = memory.data<f64>([6.93147180369123816490e-1]);
export const LN2_LOW = memory.data<f64>([1.90821492927058770002e-10]);

/** 128/ln 2, and (ln 2)/128 in two parts, the first with 16 zero bits at its end */
export const STEPS_PER_UNIT = memory.data<f64>([184.6649652337873]);
export const STEP_HIGH = memory.data<f64>([0.005415212348111709]);
export const STEP_LOW = memory.data<f64>([1.2864023111638346e-14]);
export const ONE_128TH = memory.data<f64>([0.0078125]);
/** coefficients 1/k of the series of the logarithm, and 1/4!, 1/5! of that of the exponential */
export const THIRD = memory.data<f64>([0.3333333333333333]);
export const FIFTH = memory.data<f64>([0.2]);
export const SIXTH = memory.data<f64>([0.16666666666666666]);
export const SEVENTH = memory.data<f64>([0.14285714285714285]);
export const A4 = memory.data<f64>([0.041666666666666664]);
export const A5 = memory.data<f64>([0.008333333333333333]);

/** q(r) = ½ + Q1·r + Q2·r² + … ≈ (eʳ − 1 − r)/r² */
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

/** R(z) = L1·z + L2·z² + … of the logarithm in fdlibm */
export const L1 = memory.data<f64>([0.6666666666666735130]);
export const L2 = memory.data<f64>([0.3999999999940941908]);
export const L3 = memory.data<f64>([0.2857142874366239149]);
export const L4 = memory.data<f64>([0.2222219843214978396]);
export const L5 = memory.data<f64>([0.1818357216161805012]);
export const L6 = memory.data<f64>([0.1531383769920937332]);
export const L7 = memory.data<f64>([0.1479819860511658591]);
/** 2⁵² + 1023, which 2⁵² + a biased exponent exceeds by the exponent */
export const EXPONENT_OFFSET = memory.data<f64>([4503599627371519]);
/** the smallest normal number, and 2⁵⁴, whose product with a subnormal number is normal */
export const SMALLEST_NORMAL = memory.data<f64>([2.2250738585072014e-308]);
export const TWO_TO_54 = memory.data<f64>([18014398509481984]);

/** log cosh x is computed from sinh² x for |x| below this */
export const SINH_BELOW = memory.data<f64>([0.6]);
/** log(1 + t): t is halved first above this, which is just below √2 − 1 */
export const HALVE_FROM = memory.data<f64>([0.4142]);

/** π/2 in three parts, the first two of 33 bits; π/2 and π/4, each with its rounding error */
export const TWO_OVER_PI = memory.data<f64>([0.6366197723675814]);
export const HALF_PI_1 = memory.data<f64>([1.57079632673412561417]);
export const HALF_PI_2 = memory.data<f64>([6.07710050630396597660e-11]);
export const HALF_PI_3 = memory.data<f64>([2.02226624879595063154e-21]);
export const HALF_PI = memory.data<f64>([1.5707963267948966]);
export const HALF_PI_REST = memory.data<f64>([6.123233995736766e-17]);
export const QUARTER_PI = memory.data<f64>([0.7853981633974483]);
export const QUARTER_PI_REST = memory.data<f64>([3.061616997868383e-17]);
/** largest |x| of sin and cos here: x/(π/2) has 20 bits, so that its products with the 33 bits of a part of π/2 are exact */
export const LARGEST_ANGLE = memory.data<f64>([1e6]);
export const EIGHTH_PI_TANGENT = memory.data<f64>([0.41421356237309503]);
export const THREE_EIGHTHS_PI_TANGENT = memory.data<f64>([2.414213562373095]);

/** sin y = y + S1·y³ + S2·y⁵ + …, cos y = 1 − y²/2 + C1·y⁴ + C2·y⁶ + …, atan t = t − T0·t³ − T1·t⁵ − … of fdlibm */
export const S1 = memory.data<f64>([-1.66666666666666324348e-1]);
export const S2 = memory.data<f64>([8.33333333332248946124e-3]);
export const S3 = memory.data<f64>([-1.98412698298579493134e-4]);
export const S4 = memory.data<f64>([2.75573137070700676789e-6]);
export const S5 = memory.data<f64>([-2.50507602534068634195e-8]);
export const S6 = memory.data<f64>([1.58969099521155010221e-10]);
export const C1 = memory.data<f64>([4.16666666666666019037e-2]);
export const C2 = memory.data<f64>([-1.38888888888741095749e-3]);
export const C3 = memory.data<f64>([2.48015872894767294178e-5]);
export const C4 = memory.data<f64>([-2.75573143513906633035e-7]);
export const C5 = memory.data<f64>([2.08757232129817482790e-9]);
export const C6 = memory.data<f64>([-1.13596475577881948265e-11]);
export const T0 = memory.data<f64>([3.33333333333329318027e-1]);
export const T1 = memory.data<f64>([-1.99999999998764832476e-1]);
export const T2 = memory.data<f64>([1.42857142725034663711e-1]);
export const T3 = memory.data<f64>([-1.11111104054623557880e-1]);
export const T4 = memory.data<f64>([9.09088713343650656196e-2]);
export const T5 = memory.data<f64>([-7.69187620504482999495e-2]);
export const T6 = memory.data<f64>([6.66107313738753120669e-2]);
export const T7 = memory.data<f64>([-5.83357013379057348645e-2]);
export const T8 = memory.data<f64>([4.97687799461593236017e-2]);
export const T9 = memory.data<f64>([-3.65315727442169155270e-2]);
export const T10 = memory.data<f64>([1.62858201153657823623e-2]);

// bit patterns

/** all bits but the sign */
export const MAGNITUDE_BITS = memory.data<u64>([0x7fffffffffffffff]);
export const ONE_BITS = memory.data<u64>([0x3ff0000000000000]);
export const ROOT_HALF = memory.data<u64>([0x3fe6a09e667f3bcd]);
/** the left end of the first interval of LOGARITHMS, and the bits of 1 minus these bits */
export const TABLE_BEGIN = memory.data<u64>([0x3fe6100000000000]);
export const TO_TABLE_BEGIN = memory.data<u64>([0x0009f00000000000]);
/** the upper half of a mantissa */
export const UPPER_BITS = memory.data<u64>([0xfffffffff8000000]);
export const LAST_7_BITS = memory.data<u64>([127]);
/** the bits of 1 minus those of √½ */
export const TO_ROOT_HALF = memory.data<u64>([0x00095f619980c433]);
export const MANTISSA_BITS = memory.data<u64>([0x000fffffffffffff]);
/** the bits of 2⁵² */
export const TWO_TO_52_BITS = memory.data<u64>([0x4330000000000000]);
