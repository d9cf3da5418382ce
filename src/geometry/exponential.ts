import { expm } from "../linalg/expm.js";
import type { Engine, Matrix } from "../types.js";

/**
 * Y ← the geodesic of the Euclidean metric from X along the tangent D at t [Edelman, Arias, Smith 1998, section 2.2.2]:
 *
 *     Y(t) = [X  D]·exp( t·[A  −DᵀD; I  A] )·[I; 0]·exp(−tA),   A = XᵀD skew.
 *
 * With D = δ·D̂, ‖D̂‖ = 1, and time s = t·δ the blocks of the 2p×2p matrix are of the same size.
 */
export function exponential(E: Engine, n: number, p: number): (Y: Matrix, X: Matrix, t: number, D: Matrix) => void {
  const [A, B, M, N] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const [C, expC] = [E.matrix(2 * p, 2 * p), E.matrix(2 * p, 2 * p)];
  const small = expm(E, p);
  const large = expm(E, 2 * p);
  const U = E.matrix(n, p);

  /** C ← [A  −B; s·I  A] */
  function assemble(s: number): void {
    const [c, a, b] = [C.data, A.data, B.data];
    c.fill(0);
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) {
        c[i * 2 * p + j] = c[(p + i) * 2 * p + p + j] = a[i * p + j]!;
        c[i * 2 * p + p + j] = -b[i * p + j]!;
      }
      c[(p + i) * 2 * p + i] = s;
    }
  }

  return (Y, X, t, D) => {
    const norm = Math.sqrt(E.dot(D, D));
    const s = t * norm;
    if (s === 0) return E.copy(Y, X);
    E.axpby(U, 1 / norm, D, 0);
    E.tmul(B, X, U);
    E.copy(A, B);
    E.symmetrize(B);
    E.axpby(A, -1, B, 1);
    E.gram(B, U);
    E.axpby(B, 0, A, s);
    E.axpby(A, 0, B, s);
    assemble(s);
    large(expC, C);
    E.axpby(M, -1, A, 0);
    small(A, M);
    const [e, m, k] = [expC.data, M.data, N.data];
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) {
        m[i * p + j] = e[i * 2 * p + j]!;
        k[i * p + j] = e[(p + i) * 2 * p + j]!;
      }
    }
    E.mul(B, M, A);
    E.mul(Y, X, B);
    E.mul(B, N, A);
    E.mul(Y, U, B, 1, 1);
  };
}
