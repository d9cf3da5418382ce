import type { Matrix } from "../contracts/matrix.js";

/** The LAPACK routines behind `factor`, on row-major matrices. Each returns LAPACK's `info` (0: success). */
export interface Lapack {
  /** A symmetric → eigenvectors as the ROWS of A, or A destroyed without them; eigenvalues ascending in w (p×1) */
  syevd(A: Matrix, w: Matrix, vectors: boolean): number;
  /**
   * A symmetric, of which the upper triangle is read → the k smallest eigenvalues in w (p×1) and their eigenvectors as the rows of Z
   * (k×p); A is destroyed. `info` is not 0 as well if entries are not finite, or if their products might over- or underflow.
   */
  lowest(A: Matrix, w: Matrix, Z: Matrix): number;
  /** A = U·diag(s)·V thin, m ≥ n: U m×n, s n×1, V n×n (rows are right singular vectors); A is destroyed */
  gesdd(A: Matrix, U: Matrix, s: Matrix, V: Matrix): number;
  /** S = RᵀR, R upper triangular written over S (below the diagonal: 0) */
  potrf(S: Matrix): number;
  /** A·X = B solved for X in place of B; A is destroyed */
  gesv(A: Matrix, B: Matrix): number;
  /** A ← R⁻ᵀ·A·R⁻¹ for a symmetric A, R upper triangular */
  sygst(A: Matrix, R: Matrix): number;
  /** Y ← Y·R⁻¹, R upper triangular */
  trsm(Y: Matrix, R: Matrix): void;
  /** X ← R⁻¹·X */
  trsmLeft(X: Matrix, R: Matrix): void;
}
