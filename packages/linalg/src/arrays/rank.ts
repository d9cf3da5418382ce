/** The numerical rank of r (p×p): remainders above tolerance·(the largest column) in Gram–Schmidt with column pivoting */
export function numericalRank(r: Float64Array, p: number, tolerance: number): number {
  const a = r.slice();
  const norm = (j: number): number => {
    let s = 0;
    for (let i = j; i < p * p; i += p) s += a[i]! * a[i]!;
    return Math.sqrt(s);
  };
  const remaining = Array.from({ length: p }, (_, j) => j);
  for (let rank = 0, first = 0; ; rank++) {
    let [best, at] = [0, -1];
    remaining.forEach((j, place) => {
      const t = norm(j);
      if (t > best) [best, at] = [t, place];
    });
    if (rank === 0) first = best;
    if (at < 0 || best <= tolerance * first) return rank;
    const [k] = remaining.splice(at, 1) as [number];
    for (const j of remaining) {
      let s = 0;
      for (let i = 0; i < p * p; i += p) s += a[i + k]! * a[i + j]!;
      for (let i = 0; i < p * p; i += p) a[i + j]! -= (s / (best * best)) * a[i + k]!;
    }
  }
}
