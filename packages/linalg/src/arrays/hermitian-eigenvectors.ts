import { transposed } from "./transpose.js";

/**
 * Eigenvectors of a Hermitian H = Re + i·Im, p×p, from those of the real symmetric M = [[Re, −Im], [Im, Re]], 2p×2p. M has each eigenvalue
 * twice: with v = (x, y) also (−y, x) is an eigenvector, and both are z = x + iy up to a factor. For a multiple eigenvalue of H the z of
 * orthonormal v need not be independent, so each candidate is orthogonalized against those accepted, and accepted if its remainder is
 * large enough. Σ zzᴴ = 2I, so if r < m of m vectors are accepted, the squared remainder of one of the 2m candidates is at least
 * 1 − r/m ≥ 1/p; half of this as the threshold accepts p of them. Usually the second of two is parallel to the first: one product shows it.
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
  // eigenvectors are rows until the end
  const [re, im] = [new Float64Array(p * p), new Float64Array(p * p)];
  const least = 1 / (2 * p);
  let count = 0;
  for (let k = 0; k < 2 * p && count < p; k++) {
    const first = count * p;
    for (let i = 0; i < p; i++) {
      re[first + i] = vectors[i * 2 * p + k]!;
      im[first + i] = vectors[(p + i) * 2 * p + k]!;
    }
    if (count > 0 && !(orthogonalize(re, im, count - 1, count, p) > least)) continue;
    const remainder = orthogonalize(re, im, 0, count, p);
    if (!(remainder > least)) continue;
    // a second pass if cancellation may have remainder roundoff
    if (remainder < 0.5) orthogonalize(re, im, 0, count, p);
    const scale = 1 / Math.sqrt(square(re, im, first, p));
    for (let i = first; i < first + p; i++) {
      re[i]! *= scale;
      im[i]! *= scale;
    }
    w[count++] = values[k]!;
  }
  return { re: transposed(re, p, p), im: transposed(im, p, p) };
}

/** Row `count` ← its component orthogonal to rows from … count − 1; returns its squared norm */
function orthogonalize(re: Float64Array, im: Float64Array, from: number, count: number, p: number): number {
  const z = count * p;
  for (let q = from * p; q < z; q += p) {
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
  return square(re, im, z, p);
}

function square(re: Float64Array, im: Float64Array, first: number, p: number): number {
  let sum = 0;
  for (let i = first; i < first + p; i++) sum += re[i]! ** 2 + im[i]! ** 2;
  return sum;
}
