/** Weight of a pair against the one after it */
const DECAY = 0.5;
/** Least τ that is used: a smaller part of the multiplier is not worth a product. */
const SMALLEST_PART = 0.3;
/** σI − τS is kept definite by this part of the standard deviation of the eigenvalues of τS. */
const MARGIN = 0.035;

/**
 * The Riemannian Hessian at X with multiplier S = sym(Xᵀ∇f) is
 *
 *     D ↦ P(∇²f[D] − D·S),
 *
 * whose second term is known: p×p numbers that are computed anyway. A number σ stands for ∇²f, and y ≈ σs − τsS is fitted to the pairs by
 * least squares. Where ∇²f acts from the left alone (linear and nonlinear eigenvalue problems) τ is near 1 and the spread of the
 * multiplier does not count towards the condition; where it does not (BXC), τ falls to 0. Adding c/2·‖X‖² to f adds c to S and τc to σ,
 * and changes nothing. [Mishra and Sepulchre, SIAM J. Optim. 26, 2016, take metrics from the Lagrangian in this way.]
 */
export interface MultiplierFit {
  /** Adds a pair by ⟨s, s⟩, ⟨s, sS⟩, ⟨sS, sS⟩, ⟨s, y⟩, ⟨y, sS⟩ and ⟨y, y⟩; returns τ of the fit, cut to [0, 1], and 0 where it is small. */
  add(ss: number, sS: number, SS: number, sy: number, Sy: number, yy: number): number;
  /** σ raised until σI − τS is positive definite with a margin; nothing where S has no finite spread. `deviation`: of its eigenvalues */
  raised(sigma: number, deviation: number, isDefinite: (sigma: number) => boolean): number | undefined;
  clear(): void;
}

export function multiplierFit(): MultiplierFit {
  /** Of s and −sS, each pair divided by ⟨y, y⟩: ⟨s, s⟩, −⟨s, sS⟩, ⟨sS, sS⟩ of the normal equations, their right side ⟨s, y⟩, −⟨sS, y⟩ */
  const sums = new Float64Array(5);
  let tau = 0;
  return {
    add(ss, sS, SS, sy, Sy, yy) {
      sums[0] = DECAY * sums[0]! + ss / yy;
      sums[1] = DECAY * sums[1]! - sS / yy;
      sums[2] = DECAY * sums[2]! + SS / yy;
      sums[3] = DECAY * sums[3]! + sy / yy;
      sums[4] = DECAY * sums[4]! - Sy / yy;
      const determinant = sums[0]! * sums[2]! - sums[1]! * sums[1]!;
      const isSingular = !(determinant > 1e-12 * sums[0]! * sums[2]!);
      const best = isSingular ? 0 : (sums[0]! * sums[4]! - sums[1]! * sums[3]!) / determinant;
      tau = best >= SMALLEST_PART ? Math.min(1, best) : 0;
      return tau;
    },
    raised(sigma, deviation, isDefinite) {
      const margin = MARGIN * tau * deviation;
      let raised = sigma - margin;
      for (let raise = margin; !isDefinite(raised); raise *= 2) {
        if (!(raise > 0 && raise < 100 * deviation)) return undefined;
        raised += raise;
      }
      return raised + margin;
    },
    clear: () => void sums.fill(0),
  };
}

export interface MultiplierModel {
  /** d ← the model at the eigenvalues w of S, from the pair with column moments a = ‖s_j‖², b = ‖y_j‖², e = ⟨s_j, y_j⟩ in the eigenbasis */
  fit(d: Float64Array, a: Float64Array, b: Float64Array, e: Float64Array, w: Float64Array, yy: number): void;
  clear(): void;
}

/** In the eigenbasis of S the columns have the curvatures d_j = σ − τ·w_j, scaled such that ⟨s, sD⟩ = ⟨y, yD⁻¹⟩. */
export function multiplierModel(p: number): MultiplierModel {
  const model = multiplierFit();
  return {
    clear: model.clear,
    fit(d, a, b, e, w, yy) {
      let [ss, sS, SS, sy, Sy] = [0, 0, 0, 0, 0];
      let top = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < p; j++) {
        ss += a[j]!;
        sS += a[j]! * w[j]!;
        SS += a[j]! * w[j]! ** 2;
        sy += e[j]!;
        Sy += e[j]! * w[j]!;
        top = Math.max(top, w[j]!);
      }
      const tau = model.add(ss, sS, SS, sy, Sy, yy);
      const isDefinite = (sigma: number): boolean => sigma > tau * top;
      const sigma = tau === 0 ? undefined : model.raised((sy + tau * sS) / ss, deviation(w), isDefinite);
      if (sigma === undefined) d.fill(1);
      else for (let j = 0; j < p; j++) d[j] = sigma - tau * w[j]!;
      let [sDs, yDy] = [0, 0];
      for (let j = 0; j < p; j++) {
        sDs += a[j]! * d[j]!;
        yDy += b[j]! / d[j]!;
      }
      const size = Math.sqrt(yDy / sDs);
      for (let j = 0; j < p; j++) d[j]! *= size;
    },
  };
}

/** The standard deviation of the numbers w */
export function deviation(w: Float64Array): number {
  const mean = sum(w) / w.length;
  let squares = 0;
  for (let j = 0; j < w.length; j++) squares += (w[j]! - mean) ** 2;
  return Math.sqrt(squares / w.length);
}

export function sum(a: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]!;
  return total;
}
