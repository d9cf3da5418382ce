import type { Matrix } from "@expen/linalg";

/** (u; v)/√2 for the columns u of U and v of V */
export function stacked(U: Matrix, V: Matrix): Matrix {
  const data = new Float64Array(U.data.length + V.data.length);
  data.set(U.data.map((v) => v * Math.SQRT1_2));
  data.set(
    V.data.map((v) => v * Math.SQRT1_2),
    U.data.length,
  );
  return { rows: U.rows + V.rows, cols: U.cols, data };
}
