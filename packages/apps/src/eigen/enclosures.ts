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
  /** first index of each cluster, and its √(Σ r²), whose squares may underflow */
  const clusters: { first: number; end: number; norm: number }[] = [];
  for (let j = 0; j < count; j++) {
    let cluster = { first: j, end: j + 1, norm: radii[j]! };
    for (let before = clusters.at(-1); before && touch(before, cluster); before = clusters.at(-1)) {
      clusters.pop();
      cluster = { first: before.first, end: cluster.end, norm: Math.hypot(before.norm, cluster.norm) };
    }
    clusters.push(cluster);
  }
  const radius = new Float64Array(count);
  for (const { first, end, norm } of clusters) radius.fill(norm, first, end);
  return { theta, radius };

  function touch(a: { end: number; norm: number }, b: { first: number; norm: number }): boolean {
    return theta[b.first]! - theta[a.end - 1]! <= a.norm + b.norm;
  }
}

/**
 * The same for singular values of A, at least as tall as wide: the eigenvalues of [0 A; Aᵀ 0] are ±σ and zeros, so an interval that
 * reaches 0 may contain a zero or −σ. For the q columns of V in such a cluster, q singular values of A are at most ‖AV‖, whose columns have
 * at most the length θ + √2·r: this is their radius.
 */
export function singularEnclosures(theta: Float64Array, radii: Float64Array): Enclosures {
  const own = radii.slice();
  for (;;) {
    const enclosures = enclosuresOf(theta, own);
    const reach = theta.findLastIndex((value, j) => value <= enclosures.radius[j]!);
    let isWider = false;
    for (let j = 0; j <= reach; j++) {
      const wide = theta[j]! + Math.SQRT2 * radii[j]!;
      isWider ||= wide > own[j]!;
      own[j] = wide;
    }
    if (!isWider) return enclosures;
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
    return gap > r ? Math.min(r, radii[j]! * (radii[j]! / gap) + rounding[j]!) : r;
  });
}
