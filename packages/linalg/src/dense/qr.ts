import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { EPS } from "../rounding.js";
import { requireShape } from "../shape.js";
import { gramSchmidt } from "./gram-schmidt.js";
import { rightDivider } from "./triangular.js";

/**
 * X = Q·R with QᵀQ = I and R upper triangular with a positive diagonal, by matrix products.
 * Returns the numerical rank of X; below p the missing columns of Q are arbitrary orthonormal ones.
 */
export type Orthonormalizer = (Q: Tall, X: Tall, R?: Small) => number;

/** CholeskyQR passes before Gram–Schmidt takes over; usually two, three or four if X is nearly deficient. */
const PASSES = 5;

/**
 * CholeskyQR2 (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015): RᵀR = XᵀX, Q = X·R⁻¹, and again on Q until it is
 * orthonormal to rounding. If XᵀX is not positive definite in floating point, its diagonal is raised first (shifted CholeskyQR:
 * Fukaya, Kannan, Nakatsukasa, Yamamoto and Yanagisawa 2020; here relative to each diagonal entry, since Cholesky is invariant to the
 * scale of columns), which reduces κ for the next pass. A rank-deficient X is passed to Gram–Schmidt.
 * `scratch` (n×p) is overwritten; it may be X itself if that is no longer needed.
 */
export function orthonormalizer(E: Engine, n: number, p: number, scratch?: Tall): Orthonormalizer {
  if (!(n >= p)) throw new EngineError(`orthonormalizer: n is ${n} and p is ${p}; n ≥ p is needed.`);
  const [G, Ri, product, total] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const Qi = scratch ?? E.tall(n, p);
  const numbers = new Float64Array(p * p);
  const divide = rightDivider(E, p);
  const complete = gramSchmidt(E, n, p);
  const shift = 1 + 11 * (n * p + p * (p + 1)) * EPS;

  return (Q, X, R) => {
    requireShape(X, n, p, "orthonormalizer", "X");
    if (R) requireShape(R, p, p, "orthonormalizer", "R");
    if (Q === X) throw new EngineError("orthonormalizer: the destination is also the input X; use a second matrix.");
    let source = X;
    for (let pass = 0; pass < PASSES; pass++) {
      E.gram(G, source);
      if (pass > 0 && distanceToIdentity(E, G, product) <= 4 * EPS * Math.sqrt(p)) {
        if (isDeficient(E.read(total, numbers), n, p)) break;
        if (R) E.copy(R, total);
        return p;
      }
      if (!E.factor.cholesky(Ri, G)) {
        E.read(G, numbers);
        for (let i = 0; i < p; i++) numbers[i * (p + 1)]! *= shift;
        E.write(G, numbers);
        if (!E.factor.cholesky(Ri, G)) break;
      }
      divide(Q, source, Ri);
      E.copy(Qi, Q);
      source = Qi;
      if (pass === 0) E.copy(total, Ri);
      else {
        E.mul(product, Ri, total);
        E.copy(total, product);
      }
    }
    return complete(Q, R ?? Ri, X);
  };
}

/** Whether a column of X = Q·R has only roundoff orthogonal to the columns before it; r: the entries of R */
function isDeficient(r: Float64Array, n: number, p: number): boolean {
  for (let j = 0; j < p; j++) {
    // relative to the diagonal: √Σ(r_ij/r_jj)², in which squares that underflow are negligible
    const diagonal = r[j * (p + 1)]!;
    let sum = 0;
    for (let i = 0; i <= j; i++) sum += (r[i * p + j]! / diagonal) ** 2;
    if (!(10 * n * EPS * Math.sqrt(sum) < 1)) return true;
  }
  return false;
}

/** ‖S − I‖_F; T ← S − I */
function distanceToIdentity(E: Engine, S: Small, T: Small): number {
  E.copy(T, S);
  E.addDiagonal(T, -1);
  return Math.sqrt(E.dot(T, T));
}
