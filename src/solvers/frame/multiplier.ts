/** What a pair weighs against the one after it. */
const DECAY = 0.5;
/** A smaller part of the multiplier is none. */
const LEAST = 0.3;
/** σ is kept above τ·s_j by this part of the spread of τ·s. */
const MARGIN = 0.035;

export interface MultiplierModel {
  /** d ← the model at the eigenvalues w of S, from the pair with column moments a = ‖s_j‖², b = ‖y_j‖², e = ⟨s_j, y_j⟩ in the eigenbasis */
  fit(d: Float64Array, a: Float64Array, b: Float64Array, e: Float64Array, w: Float64Array, yy: number): void;
  clear(): void;
}

/**
 * The Riemannian Hessian is D ↦ P(∇²f[D] − D·S). A number σ stands for ∇²f, and y ≈ σs − τsS is fitted to the pairs by least squares, as in
 * multiplier-metric.ts: in the eigenbasis of S the columns have the curvatures σ − τ·w_j. Their size is such that ⟨s, Ds⟩ = ⟨y, D⁻¹y⟩.
 */
export function multiplierModel(p: number): MultiplierModel {
  /** ⟨s, s⟩, −⟨s, sS⟩, ⟨sS, sS⟩ and ⟨s, y⟩, −⟨sS, y⟩ */
  const sums = new Float64Array(5);
  return { fit, clear: () => void sums.fill(0) };

  function fit(d: Float64Array, a: Float64Array, b: Float64Array, e: Float64Array, w: Float64Array, yy: number): void {
    let [ss, sS, SS, sy, Sy] = [0, 0, 0, 0, 0];
    for (let j = 0; j < p; j++) {
      ss += a[j]!;
      sS += a[j]! * w[j]!;
      SS += a[j]! * w[j]! ** 2;
      sy += e[j]!;
      Sy += e[j]! * w[j]!;
    }
    sums[0] = DECAY * sums[0]! + ss / yy;
    sums[1] = DECAY * sums[1]! - sS / yy;
    sums[2] = DECAY * sums[2]! + SS / yy;
    sums[3] = DECAY * sums[3]! + sy / yy;
    sums[4] = DECAY * sums[4]! - Sy / yy;
    if (!spreadOut(d, w, tauOf(sums), ss, sS, sy)) d.fill(1);
    let [sDs, yDy] = [0, 0];
    for (let j = 0; j < p; j++) {
      sDs += a[j]! * d[j]!;
      yDy += b[j]! / d[j]!;
    }
    const size = Math.sqrt(yDy / sDs);
    for (let j = 0; j < p; j++) d[j]! *= size;
  }

  /** d ← σ − τ·w, σ that of the newest pair, raised until all are positive with a margin; false where the multiplier is of no use */
  function spreadOut(d: Float64Array, w: Float64Array, tau: number, ss: number, sS: number, sy: number): boolean {
    if (tau === 0) return false;
    const spread = deviation(w);
    const margin = MARGIN * tau * spread;
    let top = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < p; j++) top = Math.max(top, tau * w[j]!);
    let sigma = (sy + tau * sS) / ss - margin;
    for (let raise = margin; !(sigma > top); raise *= 2) {
      if (!(raise > 0 && raise < 100 * spread)) return false;
      sigma += raise;
    }
    for (let j = 0; j < p; j++) d[j] = sigma + margin - tau * w[j]!;
    return true;
  }
}

/** τ of the least-squares fit, cut to [0, 1], and 0 where it is small. */
function tauOf(sums: Float64Array): number {
  // by places: a list taken apart goes through an iterator
  const ss = sums[0]!;
  const sS = sums[1]!;
  const SS = sums[2]!;
  const determinant = ss * SS - sS * sS;
  if (!(determinant > 1e-12 * ss * SS)) return 0;
  const tau = (ss * sums[4]! - sS * sums[3]!) / determinant;
  return tau >= LEAST ? Math.min(1, tau) : 0;
}

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
