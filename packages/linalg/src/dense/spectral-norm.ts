import { tridiagonalEigenvalue } from "../arrays/tridiagonal-eigenpairs.js";
import type { Matrix } from "../contracts/matrix.js";
import { random } from "../random.js";
import { EPS } from "../rounding.js";

/**
 * ‖S‖₂ = max|λ| of S = Sᵀ to rounding, in plain code with the same bits everywhere, because instances are scaled with it.
 * Lanczos' recurrence with full reorthogonalization:
 * S·q_k = e_{k−1}q_{k−1} + d_k q_k + e_k q_{k+1}. Extreme Ritz values grow monotonically outwards; the iteration ends when ten
 * more steps, twice in a row, change nothing: at a convergence rate r per step the error is below ε·r¹⁰/(1 − r¹⁰).
 */
export function spectralNorm(S: Matrix): number {
  const n = S.rows;
  const [d, e] = [new Float64Array(n), new Float64Array(n)];
  const basis: Float64Array[] = [];
  const r = random(0, "Lanczos");
  let q = Float64Array.from({ length: n }, () => r.normal());
  normalize(q);
  let [norm, scale, still] = [0, 0, 0];
  for (let k = 0; k < n && still < 2; k++) {
    basis.push(q);
    const y = symmetricProduct(S, q);
    d[k] = inner(y, q);
    for (let round = 0; round < 2; round++) for (const b of basis) subtract(y, inner(y, b), b);
    const length = Math.sqrt(inner(y, y));
    scale = Math.max(scale, Math.abs(d[k]!) + length);
    // a zero remainder: the basis spans an invariant subspace; from a random start it has every distinct eigenvalue
    const last = k === n - 1 || length <= n * EPS * scale;
    if (last || k % 10 === 9) {
      const m = k + 1;
      const now = Math.max(tridiagonalEigenvalue(d, e, m, k), -tridiagonalEigenvalue(d, e, m, 0));
      still = now - norm <= EPS * now ? still + 1 : 0;
      norm = Math.max(norm, now);
    }
    if (last) break;
    e[k] = length;
    for (let i = 0; i < n; i++) y[i]! /= length;
    q = y;
  }
  return norm;
}

/** S·x from the upper triangle alone */
function symmetricProduct(S: Matrix, x: Float64Array): Float64Array<ArrayBuffer> {
  const n = S.rows;
  const a = S.data;
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const xi = x[i]!;
    const at = i * n;
    let s = a[at + i]! * xi;
    for (let j = i + 1; j < n; j++) {
      const t = a[at + j]!;
      s += t * x[j]!;
      y[j]! += t * xi;
    }
    y[i]! += s;
  }
  return y;
}

function inner(x: Float64Array, y: Float64Array): number {
  let s = 0;
  for (let i = 0; i < x.length; i++) s += x[i]! * y[i]!;
  return s;
}

function subtract(y: Float64Array, a: number, x: Float64Array): void {
  for (let i = 0; i < y.length; i++) y[i]! -= a * x[i]!;
}

function normalize(x: Float64Array): void {
  const length = Math.sqrt(inner(x, x));
  for (let i = 0; i < x.length; i++) x[i]! /= length;
}
