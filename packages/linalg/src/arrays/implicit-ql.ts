import { EngineError } from "../errors.js";
import { EPS } from "../rounding.js";
import { type TridiagonalForm, tridiagonalizer } from "./tridiagonal-form.js";

/**
 * Sweeps for an eigenvalue at most; usually two. After half of them, off-diagonal entries are deflated if they are small relative to T and
 * not only to their neighbours: among eigenvalues that are 0 up to rounding, each sweep may reintroduce that much.
 */
const SWEEPS = 60;

/** c·(S + Sᵀ)/2 = V·Diag(w)·Vᵀ with w ascending and the eigenvectors as the columns of V; v (optional) and s are n×n */
export type ScaledEigenSolver<V = Float64Array> = (v: V, w: Float64Array, s: Float64Array, c: number) => void;

/**
 * All eigenvalues and eigenvectors of c·(S + Sᵀ)/2 in plain code, with the same bits everywhere: tridiagonal form, then the
 * implicit QL method (Golub and Van Loan, Matrix Computations, 8.3; tred2 and tql2 of EISPACK). All accesses run along rows:
 * eigenvectors are rows until the end. The entries of c·S must be of size about 1. The solver itself allocates nothing.
 */
export function qlSolver(n: number): ScaledEigenSolver {
  const tridiagonalize = tridiagonalizer(n);
  const [Z, cosines, sines, order] = [
    new Float64Array(n * n),
    new Float64Array(n),
    new Float64Array(n),
    new Int32Array(n),
  ];
  return (v, w, s, c) => {
    const form = tridiagonalize(s, c);
    accumulate(n, Z, form.reflectors);
    iterate(n, form, Z, cosines, sines);
    sort(n, order, form.d);
    for (let j = 0; j < n; j++) {
      const from = order[j]!;
      w[j] = form.d[from]!;
      for (let i = 0; i < n; i++) v[i * n + j] = Z[from * n + i]!;
    }
  };
}

/** Z ← H_{n−2}⋯H₀ by backward accumulation, so that H_k changes only the rows and columns beyond k */
function accumulate(n: number, Z: Float64Array, reflectors: Float64Array): void {
  Z.fill(0);
  for (let i = 0; i < n; i++) Z[i * n + i] = 1;
  for (let k = n - 2; k >= 0; k--) {
    let i = k + 1;
    for (; i + 3 < n; i += 4) reflectFour(n, Z, i, reflectors, k);
    for (; i < n; i++) {
      const at = i * n;
      let s = 0;
      for (let j = k + 1; j < n; j++) s += Z[at + j]! * reflectors[k * n + j]!;
      for (let j = k + 1; j < n; j++) Z[at + j]! -= s * reflectors[k * n + j]!;
    }
  }
}

/** z ← z − ⟨z, u_k⟩·u_k for four rows of Z, whose sums are independent */
function reflectFour(n: number, Z: Float64Array, i: number, reflectors: Float64Array, k: number): void {
  const at0 = i * n;
  const at1 = at0 + n;
  const at2 = at1 + n;
  const at3 = at2 + n;
  const row = k * n;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let j = k + 1; j < n; j++) {
    const u = reflectors[row + j]!;
    s0 += Z[at0 + j]! * u;
    s1 += Z[at1 + j]! * u;
    s2 += Z[at2 + j]! * u;
    s3 += Z[at3 + j]! * u;
  }
  for (let j = k + 1; j < n; j++) {
    const u = reflectors[row + j]!;
    Z[at0 + j]! -= s0 * u;
    Z[at1 + j]! -= s1 * u;
    Z[at2 + j]! -= s2 * u;
    Z[at3 + j]! -= s3 * u;
  }
}

/** d ← the eigenvalues of T, rows of Z ← Wᵀ·Z for its eigenvectors W; e is destroyed */
function iterate(
  n: number,
  { d, e }: TridiagonalForm,
  Z: Float64Array,
  cosines: Float64Array,
  sines: Float64Array,
): void {
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      // the block that begins at l ends at the first negligible off-diagonal entry
      const least = sweep < SWEEPS / 2 ? EPS : 1;
      let m = l;
      while (m < n - 1 && Math.abs(e[m]!) > EPS * (Math.abs(d[m]!) + Math.abs(d[m + 1]!) + least)) m++;
      if (m === l) break;
      if (sweep === SWEEPS) throw new EngineError(`eigh: no convergence on a ${n}×${n} matrix.`);
      rotate(n, Z, chase(l, m, d, e, cosines, sines), m, cosines, sines);
    }
  }
}

/**
 * One implicit QL step on rows l…m of T with Wilkinson's shift: rotations of (i, i + 1) for i = m − 1, …, first, which is
 * l unless an off-diagonal entry became 0 on the way. Returns `first`.
 */
function chase(
  l: number,
  m: number,
  d: Float64Array,
  e: Float64Array,
  cosines: Float64Array,
  sines: Float64Array,
): number {
  const half = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  const root = Math.sqrt(half * half + 1);
  let g = d[m]! - d[l]! + e[l]! / (half + (half < 0 ? -root : root));
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    // (s, c) ∝ (f, g) by a quotient of size ≤ 1, since squares of f and g might underflow
    if (Math.abs(f) >= Math.abs(g)) {
      if (f === 0) {
        e[i + 1] = 0;
        d[i + 1]! -= p;
        e[m] = 0;
        return i + 1;
      }
      const t = g / f;
      const r = Math.sqrt(t * t + 1);
      e[i + 1] = f * r;
      s = 1 / r;
      c = t * s;
    } else {
      const t = f / g;
      const r = Math.sqrt(t * t + 1);
      e[i + 1] = g * r;
      c = 1 / r;
      s = t * c;
    }
    cosines[i] = c;
    sines[i] = s;
    g = d[i + 1]! - p;
    const r = (d[i]! - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
  }
  d[l]! -= p;
  e[l] = g;
  e[m] = 0;
  return l;
}

/** Rows i + 1 and i of Z ← (c·z_{i+1} + s·z_i, c·z_i − s·z_{i+1}) for i = m − 1, …, first, two rotations in one pass over three rows */
function rotate(
  n: number,
  Z: Float64Array,
  first: number,
  m: number,
  cosines: Float64Array,
  sines: Float64Array,
): void {
  let i = m - 1;
  for (; i > first; i -= 2) {
    const c0 = cosines[i]!;
    const s0 = sines[i]!;
    const c1 = cosines[i - 1]!;
    const s1 = sines[i - 1]!;
    const top = (i - 1) * n;
    const middle = i * n;
    const bottom = (i + 1) * n;
    for (let j = 0; j < n; j++) {
      const x = Z[top + j]!;
      const y = Z[middle + j]!;
      const z = Z[bottom + j]!;
      const t = c0 * y - s0 * z;
      Z[bottom + j] = s0 * y + c0 * z;
      Z[middle + j] = s1 * x + c1 * t;
      Z[top + j] = c1 * x - s1 * t;
    }
  }
  if (i === first) {
    const c = cosines[i]!;
    const s = sines[i]!;
    const top = i * n;
    const bottom = (i + 1) * n;
    for (let j = 0; j < n; j++) {
      const y = Z[top + j]!;
      const z = Z[bottom + j]!;
      Z[bottom + j] = s * y + c * z;
      Z[top + j] = c * y - s * z;
    }
  }
}

/** order ← the permutation that sorts d ascending; stable */
function sort(n: number, order: Int32Array, d: Float64Array): void {
  for (let k = 0; k < n; k++) {
    let place = k;
    while (place > 0 && d[order[place - 1]!]! > d[k]!) {
      order[place] = order[place - 1]!;
      place--;
    }
    order[place] = k;
  }
}
