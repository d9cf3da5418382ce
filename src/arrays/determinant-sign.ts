/** The sign of det A, A n×n and overwritten, by elimination with partial pivoting; 0 where a pivot is 0 or not finite */
export function determinantSign(a: Float64Array, n: number): number {
  let sign = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]!) > Math.abs(a[pivot * n + k]!)) pivot = i;
    const value = a[pivot * n + k]!;
    if (value === 0 || !Number.isFinite(value)) return 0;
    if (pivot !== k) {
      sign = -sign;
      for (let j = k; j < n; j++) [a[k * n + j], a[pivot * n + j]] = [a[pivot * n + j]!, a[k * n + j]!];
    }
    if (value < 0) sign = -sign;
    for (let i = k + 1; i < n; i++) {
      const t = a[i * n + k]! / value;
      for (let j = k + 1; j < n; j++) a[i * n + j]! -= t * a[k * n + j]!;
    }
  }
  return sign;
}
