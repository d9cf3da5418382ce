import { EngineError } from "../errors.js";
import { sumError } from "../rounding.js";

/** Sweeps over all pairs of rows at most; usually six to ten. */
const SWEEPS = 60;
/** Squared norm below which a row counts as zero; with entries of size about 1 the error is far below rounding. */
export const NOTHING = 1e-280;

/**
 * Rotates pairs of rows of A, k×n, until all are orthogonal to rounding, relative to their lengths (one-sided Jacobi, Hestenes 1958): J·A =
 * Diag(s)·Vᵀ. A row of `a` has `width` ≥ n numbers; those beyond n, an identity for instance, are rotated as well.
 * `squares` receives the s_i².
 */
export function orthogonalizeRows(k: number, n: number, width: number, a: Float64Array, squares: Float64Array): void {
  const tolerance = sumError(n);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < k; i++) {
      let sum = 0;
      for (let l = i * width; l < i * width + n; l++) sum += a[l]! * a[l]!;
      squares[i] = sum;
    }
    let rotations = 0;
    for (let i = 0; i < k - 1; i++) {
      for (let j = i + 1; j < k; j++) {
        if (squares[i]! < NOTHING || squares[j]! < NOTHING) continue;
        const x = i * width;
        const y = j * width;
        // two independent sums
        let xy = n % 2 === 0 ? 0 : a[x + n - 1]! * a[y + n - 1]!;
        let other = 0;
        for (let l = 0; l + 1 < n; l += 2) {
          xy += a[x + l]! * a[y + l]!;
          other += a[x + l + 1]! * a[y + l + 1]!;
        }
        xy += other;
        if (!(Math.abs(xy) > tolerance * Math.sqrt(squares[i]!) * Math.sqrt(squares[j]!))) continue;
        rotations++;
        // the smaller root t of t² + 2ζt − 1 = 0; for a large ζ its square would overflow
        const zeta = (squares[j]! - squares[i]!) / (2 * xy);
        const size = Math.abs(zeta);
        const t = Math.sign(zeta || 1) * (size > 1e9 ? 0.5 / size : 1 / (size + Math.sqrt(1 + zeta * zeta)));
        const c = 1 / Math.sqrt(1 + t * t);
        const s = c * t;
        for (let l = 0; l < width; l++) {
          const u = a[x + l]!;
          const v = a[y + l]!;
          a[x + l] = c * u - s * v;
          a[y + l] = s * u + c * v;
        }
        squares[i]! -= t * xy;
        squares[j]! += t * xy;
      }
    }
    if (rotations === 0) return;
  }
  throw new EngineError(`svd: no convergence on ${k} rows of ${n} numbers.`);
}
