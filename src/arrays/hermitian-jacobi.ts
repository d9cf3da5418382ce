/** Sweeps after which the off-diagonal part is rounding; six to ten are the rule. */
const SWEEPS = 40;

/**
 * S = V·Diag(w)·Vᴴ for a Hermitian S = re + i·im (p×p, overwritten), w ascending, by cyclic Jacobi rotations: for S_kl = r·e^{iφ}
 *
 *     x_k ← c·x_k − s·e^{−iφ}·x_l,   x_l ← s·e^{iφ}·x_k + c·x_l   on columns,
 *     t = s/c the smaller root of t² + 2θt − 1, θ = (S_ll − S_kk)/2r.
 *
 * Eigenvectors of multiple eigenvalues are orthonormal too, which real embeddings do not give.
 */
export function hermitianEigenvectors(
  w: Float64Array,
  re: Float64Array,
  im: Float64Array,
  p: number,
): { re: Float64Array; im: Float64Array } {
  const V = { re: new Float64Array(p * p), im: new Float64Array(p * p) };
  for (let i = 0; i < p; i++) V.re[i * p + i] = 1;
  let size = 0;
  for (let i = 0; i < p * p; i++) size += re[i]! ** 2 + im[i]! ** 2;
  const nothing = 1e-32 * size;
  for (let sweep = 0; sweep < SWEEPS && offDiagonal(re, im, p) > nothing; sweep++) {
    for (let k = 0; k < p; k++) for (let l = k + 1; l < p; l++) rotate(k, l);
  }
  const order = Array.from({ length: p }, (_, j) => j).sort((i, j) => re[i * p + i]! - re[j * p + j]!);
  const sorted = { re: new Float64Array(p * p), im: new Float64Array(p * p) };
  for (let j = 0; j < p; j++) {
    const from = order[j]!;
    w[j] = re[from * p + from]!;
    for (let i = 0; i < p; i++) {
      sorted.re[i * p + j] = V.re[i * p + from]!;
      sorted.im[i * p + j] = V.im[i * p + from]!;
    }
  }
  return sorted;

  function rotate(k: number, l: number): void {
    const [x, y] = [re[k * p + l]!, im[k * p + l]!];
    const r = Math.hypot(x, y);
    if (r === 0 || Number.isNaN(r)) return;
    const theta = (re[l * p + l]! - re[k * p + k]!) / (2 * r);
    const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    // s·e^{iφ}
    const [sx, sy] = [(t * c * x) / r, (t * c * y) / r];
    columns(re, im, k, l, c, sx, sy);
    columns(V.re, V.im, k, l, c, sx, sy);
    // rows: the conjugate of what was done to columns
    for (let j = 0; j < p; j++) {
      const [a, b, d, e] = [re[k * p + j]!, im[k * p + j]!, re[l * p + j]!, im[l * p + j]!];
      re[k * p + j] = c * a - (sx * d - sy * e);
      im[k * p + j] = c * b - (sx * e + sy * d);
      re[l * p + j] = sx * a + sy * b + c * d;
      im[l * p + j] = sx * b - sy * a + c * e;
    }
    im[k * p + k] = 0;
    im[l * p + l] = 0;
  }

  function columns(re: Float64Array, im: Float64Array, k: number, l: number, c: number, sx: number, sy: number): void {
    for (let i = 0; i < p; i++) {
      const [a, b, d, e] = [re[i * p + k]!, im[i * p + k]!, re[i * p + l]!, im[i * p + l]!];
      re[i * p + k] = c * a - (sx * d + sy * e);
      im[i * p + k] = c * b - (sx * e - sy * d);
      re[i * p + l] = sx * a - sy * b + c * d;
      im[i * p + l] = sx * b + sy * a + c * e;
    }
  }
}

function offDiagonal(re: Float64Array, im: Float64Array, p: number): number {
  let sum = 0;
  for (let i = 0; i < p; i++) for (let j = 0; j < i; j++) sum += re[i * p + j]! ** 2 + im[i * p + j]! ** 2;
  return sum;
}
