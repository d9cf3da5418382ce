import { EngineError } from "../engines/engine.js";
import type { Engine, Matrix } from "../types.js";
import { cholesky } from "./cholesky.js";
import { householderQR } from "./householder.js";
import { EPS, requireShape } from "./scale.js";
import { rightDivider } from "./triangular.js";

/**
 * X = Q·R with QᵀQ = I and R upper triangular with a positive diagonal, in products that run at the engine's full speed.
 * Returns the numerical rank of X; below p the missing columns of Q are arbitrary orthonormal ones.
 */
export type Orthonormalizer = (Q: Matrix, X: Matrix, R?: Matrix) => number;

/**
 * CholeskyQR2 (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015): R₁ᵀR₁ = XᵀX, Q₁ = X·R₁⁻¹, and once more on Q₁ unless
 * Q₁ is orthonormal to rounding already. The second pass is safe while δ = ‖Q₁ᵀQ₁ − I‖_F is well below 1 (κ(X) up to about 1e7);
 * beyond that, and where Cholesky fails, Householder reflections take over.
 */
export function orthonormalizer(E: Engine, n: number, p: number): Orthonormalizer {
  if (!(n >= p)) throw new EngineError(`orthonormalizer: n is ${n} and p is ${p}; n ≥ p is needed.`);
  const [G, R1, R2, Q1] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(n, p)];
  const divide = rightDivider(E, p);

  return (Q, X, R) => {
    requireShape(X, n, p, "orthonormalizer", "X");
    if (R) requireShape(R, p, p, "orthonormalizer", "R");
    if (Q === X) throw new EngineError("orthonormalizer: the destination is also the input X; use a second matrix.");
    E.gram(G, X);
    if (!cholesky(E, R1, G)) return householderQR(E, Q, R ?? R1, X);
    divide(Q1, X, R1);
    E.gram(G, Q1);
    const delta = distanceToIdentity(G);
    if (delta <= 4 * EPS * Math.sqrt(p)) {
      E.copy(Q, Q1);
      if (R) E.copy(R, R1);
    } else if (delta <= 0.1 && cholesky(E, R2, G)) {
      divide(Q, Q1, R2);
      if (R) E.mul(R, R2, R1);
    } else return householderQR(E, Q, R ?? R1, X);
    return p;
  };
}

/** ‖S − I‖_F */
export function distanceToIdentity({ rows, data: s }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      const t = i === j ? s[i * rows + j]! - 1 : s[i * rows + j]!;
      sum += t * t;
    }
  }
  return Math.sqrt(sum);
}
