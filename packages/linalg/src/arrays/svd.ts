import { householder } from "./householder.js";
import { qlSolver } from "./implicit-ql.js";
import { NOTHING, orthogonalizeRows } from "./one-sided-jacobi.js";

/** A = U·Diag(s)·Vᵀ, thin, for A m×n with m ≥ n and entries of size about 1: u is m×n, v is n×n, s descends; a is destroyed */
export type ThinSvd = (u: Float64Array, s: Float64Array, v: Float64Array, a: Float64Array) => void;

/**
 * A = Q·R, with Q = I if A is square, and J·R = Diag(s)·Vᵀ by one-sided Jacobi, so that U = Q·Jᵀ. The start are the
 * eigenvectors of R·Rᵀ, which are J up to small singular values lost by squaring: two or three sweeps in place of ten.
 */
export function jacobiSvd(m: number, n: number): ThinSvd {
  const tall = m > n;
  const make = (): Float64Array => new Float64Array(n * n);
  const [R, T, S] = [make(), make(), make()];
  const [rows, squares, order] = [new Float64Array(2 * n * n), new Float64Array(n), new Int32Array(n)];
  const eigen = qlSolver(n);
  return (u, s, v, a) => {
    if (tall) householder(a, R, m, n);
    else R.set(a);
    timesTransposed(S, R, R, n);
    eigen(T, squares, S, 1);
    startRows(rows, T, R, n);
    orthogonalizeRows(n, n, 2 * n, rows, squares);
    order.set(Array.from(squares.keys()).sort((i, j) => squares[j]! - squares[i]!));
    for (let j = 0; j < n; j++) {
      const row = order[j]!;
      const sigma = squares[row]! < NOTHING ? 0 : Math.sqrt(squares[row]!);
      s[j] = sigma;
      for (let i = 0; i < n; i++) {
        v[i * n + j] = sigma === 0 ? 0 : rows[2 * row * n + i]! / sigma;
        T[j * n + i] = rows[(2 * row + 1) * n + i]!;
      }
    }
    // now T = J, sorted
    if (tall) timesTransposed(u, a, T, n);
    else for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) u[i * n + j] = T[j * n + i]!;
    // orthonormal columns are unchanged, missing ones are completed
    if (n > 0 && s[n - 1] === 0) householder(v, R, n, n);
  };
}

/** C ← A·Bᵀ for B n×n and as many rows of A as C has; four independent sums at a time */
function timesTransposed(c: Float64Array, a: Float64Array, b: Float64Array, n: number): void {
  for (let at = 0; at < c.length; at += n) {
    let j = 0;
    for (; j + 3 < n; j += 4) {
      const row = j * n;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let l = 0; l < n; l++) {
        const t = a[at + l]!;
        s0 += t * b[row + l]!;
        s1 += t * b[row + n + l]!;
        s2 += t * b[row + 2 * n + l]!;
        s3 += t * b[row + 3 * n + l]!;
      }
      c[at + j] = s0;
      c[at + j + 1] = s1;
      c[at + j + 2] = s2;
      c[at + j + 3] = s3;
    }
    for (; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < n; l++) sum += a[at + l]! * b[j * n + l]!;
      c[at + j] = sum;
    }
  }
}

/** rows ← [TᵀR, Tᵀ], n×2n; four rows of R in one pass */
function startRows(rows: Float64Array, T: Float64Array, R: Float64Array, n: number): void {
  rows.fill(0);
  for (let i = 0; i < n; i++) {
    const at = 2 * i * n;
    for (let l = 0; l < n; l++) rows[at + n + l] = T[l * n + i]!;
    let l = 0;
    for (; l + 3 < n; l += 4) {
      const t0 = rows[at + n + l]!;
      const t1 = rows[at + n + l + 1]!;
      const t2 = rows[at + n + l + 2]!;
      const t3 = rows[at + n + l + 3]!;
      const row = l * n;
      for (let j = 0; j < n; j++) {
        rows[at + j]! += t0 * R[row + j]! + t1 * R[row + n + j]! + t2 * R[row + 2 * n + j]! + t3 * R[row + 3 * n + j]!;
      }
    }
    for (; l < n; l++) {
      const t = rows[at + n + l]!;
      for (let j = 0; j < n; j++) rows[at + j]! += t * R[l * n + j]!;
    }
  }
}
