/** X ← R⁻¹·X for X n×p and R n×n, both row-major, by substitution */
export function divideLeft(x: Float64Array, p: number, r: Float64Array, n: number): void {
  for (let i = n - 1; i >= 0; i--) {
    for (let j = 0; j < p; j++) {
      let sum = x[i * p + j]!;
      for (let k = i + 1; k < n; k++) sum -= r[i * n + k]! * x[k * p + j]!;
      x[i * p + j] = sum / r[i * n + i]!;
    }
  }
}

/** X ← R⁻ᵀ·X, likewise */
export function divideLeftTransposed(x: Float64Array, p: number, r: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < p; j++) {
      const t = (x[i * p + j]! /= r[i * n + i]!);
      for (let k = i + 1; k < n; k++) x[k * p + j]! -= r[i * n + k]! * t;
    }
  }
}
