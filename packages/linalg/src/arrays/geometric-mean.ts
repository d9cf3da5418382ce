import { choleskyInPlace } from "./cholesky.js";
import { orthogonalizeRows } from "./one-sided-jacobi.js";

/**
 * mean(H, Y, S): H ← Y⁻¹ # S, the geometric mean of Y⁻¹ and S, the only positive definite H with H·Y·H = S, for symmetric positive
 * definite K×K matrices of small K. Y and S are overwritten; false, with H undefined, if one of them has no Cholesky factor.
 *
 * Both are first scaled to the same diagonals, H = Diag(d)·H'·Diag(d). With S' = RᵀR and Y' = LLᵀ the rows of J·LᵀRᵀ are orthogonal for
 * some orthogonal J, of lengths σ, and H' = WᵀDiag(σ)W with W = J·L⁻¹.
 */
export function geometricMean(K: number): (H: Float64Array, Y: Float64Array, S: Float64Array) => boolean {
  const [d, squares] = [new Float64Array(K), new Float64Array(K)];
  /** LᵀRᵀ beside L⁻¹ */
  const rows = new Float64Array(2 * K * K);
  return (H, Y, S) => {
    for (let a = 0; a < K; a++) d[a] = Math.sqrt(Math.sqrt(S[a * (K + 1)]! / Y[a * (K + 1)]!));
    for (let a = 0, k = 0; a < K; a++) {
      for (let b = 0; b < K; b++, k++) {
        S[k]! /= d[a]! * d[b]!;
        Y[k]! *= d[a]! * d[b]!;
      }
    }
    if (!choleskyInPlace(S, K) || !choleskyInPlace(Y, K)) return false;
    // now Y = Lᵀ and S = R
    for (let a = 0; a < K; a++) {
      for (let b = 0; b < K; b++) {
        let [product, inverse] = [0, a === b ? 1 : 0];
        for (let c = Math.max(a, b); c < K; c++) product += Y[a * K + c]! * S[b * K + c]!;
        for (let c = b; c < a; c++) inverse -= Y[c * K + a]! * rows[(2 * c + 1) * K + b]!;
        rows[2 * a * K + b] = product;
        rows[(2 * a + 1) * K + b] = inverse / Y[a * (K + 1)]!;
      }
    }
    orthogonalizeRows(K, K, 2 * K, rows, squares);
    H.fill(0);
    for (let c = 0; c < K; c++) {
      const w = (2 * c + 1) * K;
      const sigma = Math.sqrt(squares[c]!);
      for (let a = 0, k = 0; a < K; a++) {
        for (let b = 0; b < K; b++, k++) H[k]! += sigma * d[a]! * rows[w + a]! * d[b]! * rows[w + b]!;
      }
    }
    return true;
  };
}
