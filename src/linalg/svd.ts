import { EngineError } from "../errors.js";
import type { Engine, Lapack, Matrix } from "../types.js";
import { eigenSolver } from "./eigh.js";
import { householderQR } from "./householder.js";
import { NOTHING, orthogonalizeRows } from "./one-sided-jacobi.js";
import { maxAbs, requireShape, transpose, unitScale } from "./scale.js";

/** A = U·Diag(s)·Vᵀ, thin: with k = min(m, n), U is m×k, V is n×k, both with orthonormal columns, s ≥ 0 descending. */
export type SvdSolver = (U: Matrix, s: Float64Array, V: Matrix, A: Matrix) => void;

export function svdSolver(E: Engine, m: number, n: number): SvdSolver {
  if (m < n) {
    const [At, flipped] = [E.matrix(n, m), svdSolver(E, n, m)];
    return (U, s, V, A) => {
      requireShape(A, m, n, "svd", "A");
      transpose(At, A);
      flipped(V, s, U, At);
    };
  }
  const W = E.matrix(m, n);
  const solve = E.lapack ? byLapack(E, E.lapack, n) : byJacobi(E, m, n);
  return (U, s, V, A) => {
    requireShape(A, m, n, "svd", "A");
    requireShape(U, m, n, "svd", "U");
    requireShape(V, n, n, "svd", "V");
    // scaled by a power of two, which is exact: no square overflows or underflows
    const c = unitScale(maxAbs(A, "svd"));
    if (n === 0) return;
    E.axpby(W, c, A, 0);
    solve(U, s, V, W);
    for (let j = 0; j < n; j++) s[j]! /= c;
  };
}

function byLapack(E: Engine, { gesdd }: Lapack, n: number): SvdSolver {
  const [values, Vt] = [E.matrix(n, 1), E.matrix(n, n)];
  return (U, s, V, A) => {
    const info = gesdd(A, U, values, Vt);
    if (info !== 0)
      throw new EngineError(`svd: LAPACK's dgesdd failed with info = ${info} on a ${A.rows}×${n} matrix.`);
    transpose(V, Vt);
    s.set(values.data);
  };
}

/**
 * A = Q·R, with Q = I where A is square, and J·R = Diag(s)·Vᵀ by one-sided Jacobi, so that U = Q·Jᵀ. It starts from
 * the eigenvectors of R·Rᵀ, which are J except where squaring has lost the small singular values: two or three sweeps
 * are left of ten.
 */
function byJacobi(E: Engine, m: number, n: number): SvdSolver {
  const tall = m > n;
  const [Q, R, T, S] = [E.matrix(tall ? m : 0, n), E.matrix(n, n), E.matrix(n, n), E.matrix(n, n)];
  const [rows, squares] = [new Float64Array(2 * n * n), new Float64Array(n)];
  const eigen = eigenSolver(E, n);
  return (U, s, V, A) => {
    if (tall) householderQR(E, Q, R, A);
    else E.copy(R, A);
    E.mulT(S, R, R);
    eigen(T, squares, S);
    E.tmul(S, T, R);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        rows[2 * i * n + j] = S.data[i * n + j]!;
        rows[(2 * i + 1) * n + j] = T.data[j * n + i]!;
      }
    }
    orthogonalizeRows(n, n, 2 * n, rows, squares);
    const order = Array.from(squares.keys()).sort((i, j) => squares[j]! - squares[i]!);
    order.forEach((row, j) => {
      const sigma = squares[row]! < NOTHING ? 0 : Math.sqrt(squares[row]!);
      s[j] = sigma;
      for (let i = 0; i < n; i++) {
        V.data[i * n + j] = sigma === 0 ? 0 : rows[2 * row * n + i]! / sigma;
        T.data[i * n + j] = rows[(2 * row + 1) * n + i]!;
      }
    });
    if (tall) E.mul(U, Q, T);
    else E.copy(U, T);
    if (s[n - 1] !== 0) return;
    // orthonormal columns stay as they are, those that are missing are completed
    householderQR(E, T, R, V);
    E.copy(V, T);
  };
}

/** One decomposition, with everything made for it. In a loop, take `svdSolver`. */
export function svd(E: Engine, A: Matrix): { U: Matrix; s: Float64Array; V: Matrix } {
  const k = Math.min(A.rows, A.cols);
  const [U, s, V] = [E.matrix(A.rows, k), new Float64Array(k), E.matrix(A.cols, k)];
  svdSolver(E, A.rows, A.cols)(U, s, V, A);
  return { U, s, V };
}
