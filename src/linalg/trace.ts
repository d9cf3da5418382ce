import type { Matrix } from "../types.js";

/** tr S = Σ_i S_ii */
export function trace({ rows, data }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)]!;
  return sum;
}
