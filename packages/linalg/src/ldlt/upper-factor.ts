import type { Sparse } from "../contracts/matrix.js";
import type { Factors } from "./factor.js";

/** U = D^½·Lᵀ of P·A·Pᵀ = L·D·Lᵀ with positive pivots, so that P·A·Pᵀ = UᵀU; each row begins with its diagonal entry */
export function upperFactor({ d, blocks, symbolic }: Factors): Sparse {
  const { size } = symbolic;
  const pointers = new Int32Array(size + 1);
  for (const { at, k, rows } of blocks) for (let t = 0; t < k; t++) pointers[at + t + 1] = k - t + rows.length;
  for (let j = 0; j < size; j++) pointers[j + 1]! += pointers[j]!;
  const indices = new Int32Array(pointers[size]!);
  const values = new Float64Array(pointers[size]!);
  for (const { at, k, rows, panel } of blocks) {
    for (let t = 0; t < k; t++) {
      const root = Math.sqrt(d[at + t]!);
      let e = pointers[at + t]!;
      indices[e] = at + t;
      values[e++] = root;
      for (let i = t + 1; i < k + rows.length; i++, e++) {
        indices[e] = i < k ? at + i : rows[i - k]!;
        values[e] = root * panel[i * k + t]!;
      }
    }
  }
  return { rows: size, cols: size, pointers, indices, values };
}
