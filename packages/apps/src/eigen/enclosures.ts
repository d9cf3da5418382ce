/**
 * Intervals that contain eigenvalues, from the residuals of Ritz pairs: an eigenvalue lies within ‖A·x − θx‖ of θ for a unit vector x,
 * and for orthonormal X with R = AX − XΘ as many eigenvalues as X has columns can be paired with the θ, each within ‖R‖ of its own
 * (Kahan 1967; Parlett, The Symmetric Eigenvalue Problem, 4.5.1 and 11.5.1). With XᵀBX = I the norm is that of B⁻¹, at most
 * λmin(B)^(−½) times the Euclidean one.
 */

/** Ritz values, ascending, each with a bound of its distance from an eigenvalue of its own */
export interface Enclosures {
  readonly theta: Float64Array;
  readonly radius: Float64Array;
}

/**
 * Pairs of one cluster share the radius ‖R‖ of its columns; intervals of different clusters are disjoint, so that no two clusters have
 * an eigenvalue in common.
 */
export function enclosuresOf(theta: Float64Array, radii: Float64Array): Enclosures {
  const count = theta.length;
  /** first index of each cluster, and its Σ r² */
  const clusters: { first: number; end: number; square: number }[] = [];
  for (let j = 0; j < count; j++) {
    let cluster = { first: j, end: j + 1, square: radii[j]! ** 2 };
    for (let before = clusters.at(-1); before && touch(before, cluster); before = clusters.at(-1)) {
      clusters.pop();
      cluster = { first: before.first, end: cluster.end, square: before.square + cluster.square };
    }
    clusters.push(cluster);
  }
  const radius = new Float64Array(count);
  for (const { first, end, square } of clusters) radius.fill(Math.sqrt(square), first, end);
  return { theta, radius };

  function touch(a: { end: number; square: number }, b: { first: number; square: number }): boolean {
    return theta[b.first]! - theta[a.end - 1]! <= Math.sqrt(a.square) + Math.sqrt(b.square);
  }
}

/**
 * Radii where all eigenvalues between `below` and `above` are enclosed: |λ − ρ| ≤ r²/gap for the Rayleigh quotient ρ of a vector with the
 * residual r, at a distance `gap` from all eigenvalues but λ (Parlett 11.7.1), and |ρ − θ| ≤ rounding. In clusters the radius stays.
 */
export function sharpened(
  { theta, radius }: Enclosures,
  { radii, rounding }: { readonly radii: Float64Array; readonly rounding: Float64Array },
  below: number,
  above: number,
): Float64Array {
  return radius.map((r, j) => {
    const left = j > 0 ? Math.max(theta[j - 1]! + radius[j - 1]!, below) : below;
    const right = j + 1 < theta.length ? Math.min(theta[j + 1]! - radius[j + 1]!, above) : above;
    const gap = Math.min(theta[j]! - left, right - theta[j]!) - rounding[j]!;
    return gap > r ? Math.min(r, radii[j]! ** 2 / gap + rounding[j]!) : r;
  });
}
