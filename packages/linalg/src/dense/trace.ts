import type { Engine } from "../contracts/engine.js";
import type { Matrix, Small } from "../contracts/matrix.js";

/** tr S = Σ_i S_ii of an S in host memory */
export function trace({ rows, data }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)]!;
  return sum;
}

/** tr S = ⟨S, I⟩ of small matrices p×p, on every engine */
export function tracer(E: Engine, p: number): (S: Small) => number {
  const I = E.small(p, p);
  E.addDiagonal(I, 1);
  return (S) => E.dot(S, I);
}
