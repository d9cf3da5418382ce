/** y ← y·R⁻¹ for each of the n rows of y, by substitution; R is p×p, upper triangular, without zeros on its diagonal. */
export function divideRows(y: Float64Array, n: number, r: Float64Array, p: number): void {
  const end = n * p;
  let i = 0;
  // two rows at a time share one reading of R
  for (; i + p < end; i += 2 * p) {
    const k = i + p;
    for (let l = 0; l < p; l++) {
      if (y[i + l] === 0 && y[k + l] === 0) continue;
      const diagonal = r[l * p + l]!;
      const t = (y[i + l]! /= diagonal);
      const u = (y[k + l]! /= diagonal);
      for (let j = l + 1; j < p; j++) {
        const rj = r[l * p + j]!;
        y[i + j]! -= t * rj;
        y[k + j]! -= u * rj;
      }
    }
  }
  if (i === end) return;
  for (let l = 0; l < p; l++) {
    if (y[i + l] === 0) continue;
    const t = (y[i + l]! /= r[l * p + l]!);
    for (let j = l + 1; j < p; j++) y[i + j]! -= t * r[l * p + j]!;
  }
}
