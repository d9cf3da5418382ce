/** H₀⋯H_{n−2}·T·H_{n−2}⋯H₀ with T tridiagonal and reflections H_k = I − u·uᵀ. */
export interface TridiagonalForm {
  /** the diagonal of T, and its n − 1 off-diagonal entries */
  readonly d: Float64Array;
  readonly e: Float64Array;
  /** n×n: row k holds the u of H_k right of its diagonal, ‖u‖² = 2 or u = 0 */
  readonly reflectors: Float64Array;
}

/**
 * Householder's tridiagonal form of c·(S + Sᵀ)/2, in plain code with the same bits everywhere. Each pass over the trailing block does the
 * rank-2 update A ← A − vwᵀ − wvᵀ of one reflection and, as soon as its first row is updated, the product A·v of the next one:
 * the matrix is read once for each reflection instead of twice. The result is overwritten by the next call. Loops use scalars in
 * place of tuples, with which V8 makes code half as fast.
 */
export function tridiagonalizer(n: number): (s: Float64Array, c?: number) => TridiagonalForm {
  const a = new Float64Array(n * n);
  const [d, e] = [new Float64Array(n), new Float64Array(n)];
  const form = { d, e, reflectors: a };
  const scratch = Array.from({ length: 4 }, () => new Float64Array(n));
  return (s, c = 1) => {
    const half = 0.5 * c;
    for (let i = 0; i < n; i++) {
      for (let j = i; j < n; j++) a[i * n + j] = half * s[i * n + j]! + half * s[j * n + i]!;
    }
    reduce(n, a, d, e, scratch[0]!, scratch[1]!, scratch[2]!, scratch[3]!);
    return form;
  };
}

/** z ← H₀⋯H_{n−2}·z: from an eigenvector of T to that of the matrix */
export function fromTridiagonal(z: Float64Array, reflectors: Float64Array): void {
  const n = z.length;
  for (let k = n - 2; k >= 0; k--) {
    let s = 0;
    for (let j = k + 1; j < n; j++) s += reflectors[k * n + j]! * z[j]!;
    for (let j = k + 1; j < n; j++) z[j]! -= s * reflectors[k * n + j]!;
  }
}

function reduce(
  n: number,
  a: Float64Array,
  d: Float64Array,
  e: Float64Array,
  v: Float64Array,
  w: Float64Array,
  u: Float64Array,
  y: Float64Array,
): void {
  e.fill(0);
  v.fill(0);
  w.fill(0);
  for (let k = 0; k < n; k++) {
    // row k receives the pending update v, w (zero at first), then yields d_k, e_k and the reflection I − u uᵀ
    const row = k * n;
    const vk = v[k]!;
    const wk = w[k]!;
    for (let j = k; j < n; j++) a[row + j]! -= vk * w[j]! + wk * v[j]!;
    d[k] = a[row + k]!;
    if (k === n - 1) break;
    let scale = 0;
    for (let j = k + 1; j < n; j++) scale = Math.max(scale, Math.abs(a[row + j]!));
    u.fill(0);
    y.fill(0);
    if (scale > 0) {
      let norm = 0;
      for (let j = k + 1; j < n; j++) norm += (a[row + j]! / scale) ** 2;
      norm = Math.sqrt(norm);
      const head = a[row + k + 1]! / scale;
      const sigma = head >= 0 ? norm : -norm;
      e[k] = -sigma * scale;
      // u = (x + σe₁)/√(σ(σ + x₁)), so that ‖u‖² = 2
      const factor = 1 / Math.sqrt(sigma * (sigma + head));
      for (let j = k + 1; j < n; j++) u[j] = (a[row + j]! / scale) * factor;
      u[k + 1] = (head + sigma) * factor;
    }
    for (let j = k + 1; j < n; j++) a[row + j] = u[j]!;
    updateAndMultiply(n, k + 1, a, v, w, u, y);
    // A ← (I − uuᵀ)A(I − uuᵀ) = A − u wᵀ − w uᵀ,  w = y − ½(yᵀu)u,  y = A u
    let yu = 0;
    for (let j = k + 1; j < n; j++) yu += y[j]! * u[j]!;
    for (let j = k + 1; j < n; j++) y[j]! -= 0.5 * yu * u[j]!;
    const lastV = v;
    const lastW = w;
    v = u;
    w = y;
    u = lastV;
    y = lastW;
  }
}

/** A ← A − vwᵀ − wvᵀ and y ← A·u on the rows and columns from `first` on, upper triangle, two rows at a time */
function updateAndMultiply(
  n: number,
  first: number,
  a: Float64Array,
  v: Float64Array,
  w: Float64Array,
  u: Float64Array,
  y: Float64Array,
): void {
  let i = first;
  for (; i + 1 < n; i += 2) {
    const v0 = v[i]!;
    const w0 = w[i]!;
    const u0 = u[i]!;
    const v1 = v[i + 1]!;
    const w1 = w[i + 1]!;
    const u1 = u[i + 1]!;
    const row0 = i * n;
    const row1 = (i + 1) * n;
    const a00 = a[row0 + i]! - 2 * v0 * w0;
    const a01 = a[row0 + i + 1]! - v0 * w1 - w0 * v1;
    const a11 = a[row1 + i + 1]! - 2 * v1 * w1;
    a[row0 + i] = a00;
    a[row0 + i + 1] = a01;
    a[row1 + i + 1] = a11;
    let s0 = a00 * u0 + a01 * u1;
    let s1 = a01 * u0 + a11 * u1;
    for (let j = i + 2; j < n; j++) {
      const vj = v[j]!;
      const wj = w[j]!;
      const uj = u[j]!;
      const t0 = a[row0 + j]! - v0 * wj - w0 * vj;
      const t1 = a[row1 + j]! - v1 * wj - w1 * vj;
      a[row0 + j] = t0;
      a[row1 + j] = t1;
      s0 += t0 * uj;
      s1 += t1 * uj;
      y[j]! += t0 * u0 + t1 * u1;
    }
    y[i]! += s0;
    y[i + 1]! += s1;
  }
  if (i < n) {
    a[i * n + i]! -= 2 * v[i]! * w[i]!;
    y[i]! += a[i * n + i]! * u[i]!;
  }
}
