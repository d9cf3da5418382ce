import { cholesky } from "../linalg/cholesky.js";
import { rightDivider } from "../linalg/triangular.js";
import type { Engine, Matrix } from "../types.js";
import type { FirstMatrix } from "./secant-memory.js";

export interface MultiplierMetric extends FirstMatrix {
  gamma: number;
  C: Matrix | undefined;
  /** part of the multiplier in use, 0 … 1 */
  tau: number;
  /** Fits to the pair s = t·D, y = gNew − g with ⟨D, y⟩ = dy at a point with multiplier S. `scratch` (n×p) is overwritten. */
  learn(S: Matrix, t: number, D: Matrix, dy: number, g: Matrix, gNew: Matrix, scratch: Matrix): void;
  /** Back to the identity. */
  forget(): void;
}

/** What a pair weighs against the one after it */
const DECAY = 0.5;
/** A smaller part of the multiplier is not worth a product. */
const LEAST = 0.3;
/** σ is kept above τ·λmax(S) by this part of the spread of τ·S. */
const MARGIN = 0.035;

/**
 * The first matrix of a quasi-Newton method from the Lagrangian. The Riemannian Hessian at X with multiplier S = sym(Xᵀ∇f) is
 *
 *     D ↦ P(∇²f[D] − D·S),
 *
 * whose second term is known: p×p numbers that are computed anyway. A number σ stands for what is not known, and the model D(σI − τS) is
 * fitted to the pairs met so far, y ≈ σs − τsS by least squares. Where ∇²f acts from the left alone (eigenvalue problems, noeig, PCA) τ is
 * near 1 and the spread of the multiplier no longer counts towards the condition; where it does not (Brockett), τ falls to 0 and what is left is
 * the usual γ·I. Then
 *
 *     H₀ = γ·(σI − τS)⁻¹ from the right,   γ = ⟨s, y⟩/⟨y, y(σI − τS)⁻¹⟩.
 *
 * Adding c/2·‖X‖² to f adds c to S and τc to σ, and changes nothing. [Mishra and Sepulchre, SIAM J. Optim. 26, 2016, take metrics from the
 * Lagrangian in this way.]
 */
export function multiplierMetric(E: Engine, p: number): MultiplierMetric {
  const [A, R, C, YY] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const I = E.matrix(p, p);
  const divide = rightDivider(E, p);
  E.addDiagonal(I, 1);
  // normal equations of the fit: ⟨s, s⟩, −⟨s, sS⟩, ⟨sS, sS⟩ and ⟨s, y⟩, −⟨sS, y⟩, each pair divided by ⟨y, y⟩
  const sums = new Float64Array(5);
  const products = new Float64Array(4);
  const list: Matrix[] = [];

  const metric: MultiplierMetric = {
    gamma: 1,
    C: undefined,
    tau: 0,

    learn(S, t, D, dy, g, gNew, scratch) {
      E.combine(scratch, 1, gNew, -1, g);
      E.gram(YY, scratch);
      const yy = E.dot(YY, I);
      E.mul(scratch, D, S);
      list[0] = D;
      list[1] = scratch;
      list[2] = gNew;
      list[3] = g;
      E.dots(products, list, 4, scratch);
      const dd = E.dot(D, D);
      const ds = products[0]!;
      for (let i = 0; i < 5; i++) sums[i]! *= DECAY;
      sums[0]! += (t * t * dd) / yy;
      sums[1]! -= (t * t * ds) / yy;
      sums[2]! += (t * t * products[1]!) / yy;
      sums[3]! += (t * dy) / yy;
      sums[4]! -= (t * (products[2]! - products[3]!)) / yy;

      const tau = weight(sums);
      metric.tau = tau;
      metric.gamma = (t * dy) / yy;
      metric.C = undefined;
      if (tau > 0 && invert(S, tau, (dy / t + tau * ds) / dd)) {
        metric.C = C;
        metric.gamma = (t * dy) / E.dot(YY, C);
      }
    },

    forget() {
      metric.gamma = 1;
      metric.C = undefined;
      metric.tau = 0;
      sums.fill(0);
    },
  };
  return metric;

  /** C ← (σI − τS)⁻¹, σ raised until the matrix is positive definite with a margin; false where S has no finite spread */
  function invert(S: Matrix, tau: number, sigma: number): boolean {
    const trace = E.dot(S, I);
    const spread = Math.sqrt(Math.max(0, E.dot(S, S) / p - (trace / p) ** 2));
    const margin = MARGIN * tau * spread;
    let raise = 0;
    do {
      if (!(raise < 100 * spread || raise === 0)) return false;
      E.axpby(A, -tau, S, 0);
      E.addDiagonal(A, sigma - margin + raise);
      raise = 2 * raise + margin;
    } while (!cholesky(E, R, A));
    E.addDiagonal(A, margin);
    if (!cholesky(E, R, A)) return false;
    divide(A, I, R);
    E.mulT(C, A, A);
    return true;
  }
}

/** τ of the least-squares fit, cut to [0, 1], and 0 where it is small */
function weight([ss, sS, SS, sy, Sy]: Float64Array): number {
  const determinant = ss! * SS! - sS! * sS!;
  if (!(determinant > 1e-12 * ss! * SS!)) return 0;
  const tau = (ss! * Sy! - sS! * sy!) / determinant;
  return tau < LEAST ? 0 : Math.min(1, tau);
}
