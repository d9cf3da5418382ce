import type { Matrix, Sparse, Tridiagonal } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";

/** The three diagonals of a tridiagonal matrix, n numbers each: lower[i] is entry (i, i−1), upper[i] entry (i, i+1). */
export interface Diagonals {
  readonly lower: Float64Array;
  readonly main: Float64Array;
  readonly upper: Float64Array;
}

/** Applies a function to each of the three diagonals, as between arrays and matrices. */
export const mapDiagonals = <A, B>(
  { lower, main, upper }: { readonly lower: A; readonly main: A; readonly upper: A },
  to: (diagonal: A) => B,
): { lower: B; main: B; upper: B } => ({ lower: to(lower), main: to(main), upper: to(upper) });

/** T with its diagonals as n×1 matrices in host memory */
export const toTridiagonal = (T: Diagonals): Tridiagonal =>
  mapDiagonals(T, (data): Matrix => ({ rows: data.length, cols: 1, data }));

/** The n×n matrix with constant diagonals in host memory; (−1, 2, −1) is the discrete Laplacian L. */
export function constantTridiagonal(n: number, lower: number, main: number, upper: number): Tridiagonal {
  return toTridiagonal(mapDiagonals({ lower, main, upper }, (a) => new Float64Array(n).fill(a)));
}

/**
 * T = L·U: L has 1 on its diagonal and `lower` below it, U has 1/`main` on its diagonal and `upper` above it. No pivoting, so T must be
 * positive definite or diagonally dominant; a zero pivot is an error.
 */
export function factorDiagonals({ lower: l, main: d, upper: u }: Diagonals): Diagonals {
  const n = d.length;
  const [lower, main] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    const multiplier = i === 0 ? 0 : l[i]! * main[i - 1]!;
    const pivot = i === 0 ? d[0]! : d[i]! - multiplier * u[i - 1]!;
    if (pivot === 0 || !Number.isFinite(pivot)) {
      throw new EngineError(`solve: pivot ${i} is ${pivot}; T must be positive definite or diagonally dominant.`);
    }
    lower[i] = multiplier;
    main[i] = 1 / pivot;
  }
  return { lower, main, upper: u.slice() };
}

/** The bidiagonal R of T = RᵀR, or the row of the first pivot that is not positive, with its value. T's upper diagonal is read. */
export function choleskyDiagonals({ main, upper }: Omit<Diagonals, "lower">): Sparse | { row: number; pivot: number } {
  const n = main.length;
  const pointers = Int32Array.from({ length: n + 1 }, (_, i) => Math.min(2 * i, 2 * n - 1));
  const indices = Int32Array.from({ length: 2 * n - 1 }, (_, k) => (k + 1) >> 1);
  const values = new Float64Array(2 * n - 1);
  let above = 0;
  for (let row = 0; row < n; row++) {
    const pivot = main[row]! - above ** 2;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return { row, pivot };
    values[2 * row] = Math.sqrt(pivot);
    above = upper[row]! / values[2 * row]!;
    if (row < n - 1) values[2 * row + 1] = above;
  }
  return { rows: n, cols: n, pointers, indices, values };
}

/** Tᵀ; the entries outside of T, lower[0] and upper[n−1], are 0 */
export function transposeDiagonals({ lower, main, upper }: Diagonals): Diagonals {
  const n = main.length;
  const [l, u] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 1; i < n; i++) {
    l[i] = upper[i - 1]!;
    u[i - 1] = lower[i]!;
  }
  return { lower: l, main, upper: u };
}

/** T as a dense matrix, row-major */
export function toDense({ lower, main, upper }: Diagonals): Float64Array {
  const n = main.length;
  const dense = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    if (i > 0) dense[i * n + i - 1] = lower[i]!;
    dense[i * n + i] = main[i]!;
    if (i < n - 1) dense[i * n + i + 1] = upper[i]!;
  }
  return dense;
}

/** T⁻¹, row-major, by forward and backward substitution in L·U·T⁻¹ = I */
export function denseInverse(T: Diagonals): Float64Array {
  const { lower, main, upper } = factorDiagonals(T);
  const n = main.length;
  const x = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    x[i * n + i] = 1;
    if (i > 0) for (let j = 0; j < n; j++) x[i * n + j]! -= lower[i]! * x[(i - 1) * n + j]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = 0; j < n; j++) {
      if (i < n - 1) x[i * n + j]! -= upper[i]! * x[(i + 1) * n + j]!;
      x[i * n + j]! *= main[i]!;
    }
  }
  return x;
}
