/** Elementary functions of doubles with 300 bits, as references: fixed-point numbers x·2³⁰⁰ in a BigInt. */
const BITS = 300n;
const ONE = 1n << BITS;

/** The double x, exactly if it is a multiple of 2⁻³⁰⁰ */
export function fixed(x: number): bigint {
  const [bits] = new BigUint64Array(Float64Array.of(x).buffer) as unknown as [bigint];
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0n ? 0n : 1n << 52n);
  const shift = (exponent === 0n ? 1n : exponent) - 1075n + BITS;
  const size = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return bits >> 63n ? -size : size;
}

export const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;
export const over = (a: bigint, b: bigint): bigint => (a << BITS) / b;

/** eˣ by 2⁻⁶⁴-fold argument, series and squaring; x ≤ 100 */
export function exp(x: bigint): bigint {
  const r = x >> 16n;
  let sum = ONE;
  for (let k = 1n, term = ONE; term !== 0n && k < 80n; k++) {
    term = times(term, r) / k;
    sum += term;
  }
  for (let i = 0; i < 16; i++) sum = times(sum, sum);
  return sum;
}

/** log y by Newton's method in the form of Halley from the double's logarithm; y > 0 */
export function log(y: bigint): bigint {
  let x = fixed(Math.log(toNumber(y)));
  for (let i = 0; i < 4; i++) {
    const e = exp(x);
    x += 2n * over(y - e, y + e);
  }
  return x;
}

export const one = ONE;

/** The nearest double, within half a unit of its last place */
export function toNumber(a: bigint): number {
  if (a === 0n) return 0;
  const size = a < 0n ? -a : a;
  const shift = BigInt(size.toString(2).length) - 64n;
  const top = Number(shift > 0n ? size >> shift : size << -shift);
  return (a < 0n ? -1 : 1) * top * 2 ** Number(shift - BITS);
}

const view = new Float64Array(1);
const halves = new Uint32Array(view.buffer);

/** |a − b| in units of the last place of b; 0 where both are the same special value */
export function ulps(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Number.POSITIVE_INFINITY;
  view[0] = b;
  const exponent = Math.max(1, (halves[1]! >>> 20) & 0x7ff);
  return Math.abs(a - b) / 2 ** (exponent - 1075);
}
