/**
 * A step of xoshiro128** is linear over the field of two elements, so 2^k steps are a matrix of 128×128 bits: T, T², T⁴, … by
 * squaring. Column j of a matrix, four words, is what becomes of a state whose bit j alone is set.
 */
type Words = [number, number, number, number];

/** The state after one step (packages/linalg/src/random.ts) */
function step([s0, s1, s2, s3]: Words): Words {
  const t = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  s0 ^= s3;
  return [s0, s1, s2 ^ t, (s3 << 11) | (s3 >>> 21)];
}

function times(matrix: Uint32Array, column: Uint32Array): Words {
  const r: Words = [0, 0, 0, 0];
  for (let j = 0; j < 128; j++) {
    if (((column[j >> 5]! >>> (j & 31)) & 1) === 0) continue;
    for (let w = 0; w < 4; w++) r[w]! ^= matrix[4 * j + w]!;
  }
  return r;
}

/** T^(2^first), T^(2^(first+1)), …, one after the other */
export function jumps(first: number, count: number): Uint32Array<ArrayBuffer> {
  let matrix = new Uint32Array(512);
  for (let j = 0; j < 128; j++) {
    const unit: Words = [0, 0, 0, 0];
    unit[j >> 5] = 1 << (j & 31);
    matrix.set(step(unit), 4 * j);
  }
  const all = new Uint32Array(512 * count);
  for (let k = 0; k < first + count; k++) {
    if (k >= first) all.set(matrix, 512 * (k - first));
    const square = new Uint32Array(512);
    for (let j = 0; j < 128; j++) square.set(times(matrix, matrix.subarray(4 * j, 4 * j + 4)), 4 * j);
    matrix = square;
  }
  return all;
}
