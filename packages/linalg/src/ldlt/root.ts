/** R = D^½·Lᵀ·P of a positive definite B = PᵀLDLᵀP: RᵀR = B. */
import type { Factors } from "./factor.js";

export interface Root {
  /** x ← R·x for x size×cols, row-major */
  apply(x: Float64Array, cols: number): void;
  /** x ← Rᵀ·x */
  applyT(x: Float64Array, cols: number): void;
}

export function rootOf({ d, blocks, symbolic }: Factors): Root {
  const { size, order } = symbolic;
  const roots = d.map(Math.sqrt);
  let z = new Float64Array(size);
  const room = (cols: number): void => {
    if (z.length !== size * cols) z = new Float64Array(size * cols);
  };
  /** Calls `use` for every entry of L below its diagonal in block s, column after column: L[row, column] = value */
  const each = (s: number, backward: boolean, use: (row: number, column: number, value: number) => void): void => {
    const { at, k, rows, panel } = blocks[s]!;
    const m = k + rows.length;
    for (let c = 0; c < k; c++) {
      const t = backward ? k - 1 - c : c;
      for (let r = t + 1; r < m; r++) use(r < k ? at + r : rows[r - k]!, at + t, panel[r * k + t]!);
    }
  };

  return {
    apply(x, cols) {
      room(cols);
      for (let k = 0; k < size; k++) for (let c = 0; c < cols; c++) z[k * cols + c] = x[order[k]! * cols + c]!;
      // row j of Lᵀ·z reads rows below j, which change later
      const add = (row: number, column: number, value: number): void => {
        for (let c = 0; c < cols; c++) z[column * cols + c]! += value * z[row * cols + c]!;
      };
      for (let s = 0; s < blocks.length; s++) each(s, false, add);
      for (let k = 0; k < size; k++) for (let c = 0; c < cols; c++) x[k * cols + c] = roots[k]! * z[k * cols + c]!;
    },
    applyT(x, cols) {
      room(cols);
      for (let k = 0; k < size; k++) for (let c = 0; c < cols; c++) z[k * cols + c] = roots[k]! * x[k * cols + c]!;
      // column j of L·z is added to rows below j before z_j itself changes
      const add = (row: number, column: number, value: number): void => {
        for (let c = 0; c < cols; c++) z[row * cols + c]! += value * z[column * cols + c]!;
      };
      for (let s = blocks.length - 1; s >= 0; s--) each(s, true, add);
      for (let k = 0; k < size; k++) for (let c = 0; c < cols; c++) x[order[k]! * cols + c] = z[k * cols + c]!;
    },
  };
}
