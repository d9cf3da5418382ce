import type { Engine, Tall } from "@expen/linalg";
import { expm } from "./expm.js";

/**
 * Y ← the geodesic of the Euclidean metric from X along the tangent D at t
 * [Edelman, Arias, Smith, SIAM J. Matrix Anal. Appl. 20, 1998, section 2.2.2]:
 *
 *     Y(t) = [X  D]·exp( t·[A  −DᵀD; I  A] )·[I; 0]·exp(−tA),   A = XᵀD skew.
 *
 * It is evaluated for D/‖D‖ at the time s = t·‖D‖, so that the blocks of the 2p×2p matrix are of the same size.
 */
export function exponential(E: Engine, n: number, p: number): (Y: Tall, X: Tall, t: number, D: Tall) => void {
  const [A, B, M, N] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const [C, expC] = [E.small(2 * p, 2 * p), E.small(2 * p, 2 * p)];
  const [c, a, b] = [new Float64Array(4 * p * p), new Float64Array(p * p), new Float64Array(p * p)];
  const small = expm(E, p);
  const large = expm(E, 2 * p);
  const U = E.tall(n, p);

  /** C ← [A  −B; s·I  A] */
  function assemble(s: number): void {
    E.read(A, a);
    E.read(B, b);
    c.fill(0);
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) {
        c[i * 2 * p + j] = c[(p + i) * 2 * p + p + j] = a[i * p + j]!;
        c[i * 2 * p + p + j] = -b[i * p + j]!;
      }
      c[(p + i) * 2 * p + i] = s;
    }
    E.write(C, c);
  }

  return (Y, X, t, D) => {
    const norm = Math.sqrt(E.dot(D, D));
    const s = t * norm;
    if (s === 0) return E.copy(Y, X);
    E.combine(U, 1 / norm, D, 0, D);
    E.tmul(B, X, U);
    E.copy(A, B);
    E.symmetrize(B);
    E.combine(A, -1, B, 1, A);
    E.gram(B, U);
    E.combine(B, s, B, 0, B);
    E.combine(A, s, A, 0, A);
    assemble(s);
    large(expC, C);
    E.combine(M, -1, A, 0, A);
    small(A, M);
    E.read(expC, c);
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) {
        a[i * p + j] = c[i * 2 * p + j]!;
        b[i * p + j] = c[(p + i) * 2 * p + j]!;
      }
    }
    E.write(M, a);
    E.write(N, b);
    E.mul(B, M, A);
    E.mul(Y, X, B);
    E.mul(B, N, A);
    E.mul(Y, U, B, 1, 1);
  };
}
