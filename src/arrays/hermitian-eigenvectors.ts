import { transposed } from "./transpose.js";

/**
 * Eigenvectors of a Hermitian H = Re + i·Im, p×p, from those of the real symmetric M = [[Re, −Im], [Im, Re]], 2p×2p. Each eigenvalue stands
 * there twice: with v = (x, y) also (−y, x) is an eigenvector, and both are z = x + iy up to a factor. Of an eigenvalue of H that is
 * multiple the z of orthonormal v need not be independent, so each is orthogonalized against those that were taken, and taken if enough
 * of it is left. Σ zzᴴ = 2I, so where r < m of m vectors are taken some of the 2m candidates has 1 − r/m ≥ 1/p of its square left: that
 * half of this is asked for takes p of them.
 */
interface ComplexNumbers {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** `vectors`: those of M in columns, row after row, `values` ascending. w ← eigenvalues of H; returns its eigenvectors in columns. */
export function hermitianEigenvectors(
  w: Float64Array,
  vectors: Float64Array,
  values: Float64Array,
  p: number,
): ComplexNumbers {
  // eigenvectors in rows while they are made
  const [re, im] = [new Float64Array(p * p), new Float64Array(p * p)];
  let count = 0;
  for (let k = 0; k < 2 * p && count < p; k++) {
    const first = count * p;
    for (let i = 0; i < p; i++) {
      re[first + i] = vectors[i * 2 * p + k]!;
      im[first + i] = vectors[(p + i) * 2 * p + k]!;
    }
    orthogonalize(re, im, count, p);
    if (!(square(re, im, first, p) > 1 / (2 * p))) continue;
    orthogonalize(re, im, count, p);
    const scale = 1 / Math.sqrt(square(re, im, first, p));
    for (let i = first; i < first + p; i++) {
      re[i]! *= scale;
      im[i]! *= scale;
    }
    w[count++] = values[k]!;
  }
  return { re: transposed(re, p, p), im: transposed(im, p, p) };
}

/** Row `count` ← its part orthogonal to the rows before it */
function orthogonalize(re: Float64Array, im: Float64Array, count: number, p: number): void {
  const z = count * p;
  for (let q = 0; q < z; q += p) {
    let c = 0;
    let d = 0;
    for (let i = 0; i < p; i++) {
      c += re[q + i]! * re[z + i]! + im[q + i]! * im[z + i]!;
      d += re[q + i]! * im[z + i]! - im[q + i]! * re[z + i]!;
    }
    for (let i = 0; i < p; i++) {
      re[z + i]! -= c * re[q + i]! - d * im[q + i]!;
      im[z + i]! -= c * im[q + i]! + d * re[q + i]!;
    }
  }
}

function square(re: Float64Array, im: Float64Array, first: number, p: number): number {
  let sum = 0;
  for (let i = first; i < first + p; i++) sum += re[i]! ** 2 + im[i]! ** 2;
  return sum;
}
