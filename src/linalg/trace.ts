import type { Cell } from "../scalar.js";
import type { Matrix } from "../types.js";

/** tr S = Σ_i S_ii */
export function trace({ rows, data }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)]!;
  return sum;
}

/** c ← c + a·tr S, for loops that shall make no garbage (docs/decisions/0006) */
export function addTrace(c: Cell, a: number, { rows, data }: Matrix): void {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)]!;
  c.value += a * sum;
}
