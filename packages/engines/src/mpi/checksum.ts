/** A number that differs, with near certainty, where the numbers differ: 53 bits of two multiplicative hashes of their halves. */
export function checksum(numbers: ArrayLike<number>): number {
  const one = new Float64Array(1);
  const halves = new Uint32Array(one.buffer);
  let [a, b] = [0x811c9dc5 | 0, numbers.length | 0];
  for (let i = 0; i < numbers.length; i++) {
    one[0] = numbers[i]!;
    a = Math.imul(a ^ halves[0]!, 0x01000193) ^ (a >>> 15);
    b = Math.imul(b ^ halves[1]!, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0) * 2 ** 21 + ((b >>> 0) & 0x1fffff);
}

/** Of a text, for options */
export const textChecksum = (text: string): number => checksum(Array.from(text, (c) => c.codePointAt(0)!));
