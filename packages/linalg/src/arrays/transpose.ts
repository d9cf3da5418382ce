/** b ← aᵀ for a rows×cols; returns b */
export function transpose(b: Float64Array, a: ArrayLike<number>, rows: number, cols: number): Float64Array {
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) b[j * rows + i] = a[i * cols + j]!;
  return b;
}

/** aᵀ in a new array */
export const transposed = (a: ArrayLike<number>, rows: number, cols: number): Float64Array =>
  transpose(new Float64Array(a.length), a, rows, cols);
