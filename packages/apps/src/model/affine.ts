/** Affine maps of samples, one a row, in plain loops: no engine has to be open for a few new rows. */
import { type HostMatrix, hostMatrix, type Matrix, type Table } from "@expen/linalg";

/** Means and deviations of columns; without them, zeros and ones */
export interface Columns {
  readonly centre?: Float64Array;
  readonly scale?: Float64Array;
}

/** ((A − 1·centreᵀ)/scale)·W */
export function scoresOf(
  { rows, cols: n, data }: Matrix,
  W: Matrix,
  { centre, scale }: Columns,
  names: string[],
): HostMatrix {
  const numbers = centre || scale ? data.map((v, k) => (v - (centre?.[k % n] ?? 0)) / (scale?.[k % n] ?? 1)) : data;
  return hostMatrix(times({ rows, cols: n, data: numbers }, W), names);
}

/** (F·Vᵀ)·scale + 1·centreᵀ */
export function samplesFrom(F: Matrix, V: Matrix, { centre, scale }: Columns, names?: readonly string[]): HostMatrix {
  const [p, n] = [F.cols, V.rows];
  const data = new Float64Array(F.rows * n);
  for (let i = 0, at = 0; i < F.rows; i++) {
    for (let j = 0; j < n; j++, at++) {
      let sum = 0;
      for (let k = 0; k < p; k++) sum += F.data[i * p + k]! * V.data[j * p + k]!;
      data[at] = sum * (scale?.[j] ?? 1) + (centre?.[j] ?? 0);
    }
  }
  return hostMatrix({ rows: F.rows, cols: n, data }, names);
}

/** A·B */
export function times(A: Matrix, B: Matrix): Table {
  const [m, n, p] = [A.rows, A.cols, B.cols];
  const data = new Float64Array(m * p);
  for (let i = 0; i < m; i++) {
    const row = data.subarray(i * p, (i + 1) * p);
    for (let k = 0; k < n; k++) {
      const a = A.data[i * n + k]!;
      for (let j = 0; j < p; j++) row[j]! += a * B.data[k * p + j]!;
    }
  }
  return { rows: m, cols: p, data };
}
