// The samples of this rank: rows of a file, centred and scaled by the mean and the deviation of all.
import type { Engine, Matrix } from "expen";
import { loadMatrix } from "expen/data";

const file = await loadMatrix("examples/data/wine.csv");

/** `columns` measurements of each of this rank's wines, and how many wines there are on all ranks */
export function samples({ ranks }: Engine, columns: number): { Z: Matrix; m: number } {
  const m = file.matrix.rows;
  const { rank, size } = ranks ?? { rank: 0, size: 1 };
  const [first, last] = [Math.floor((m * rank) / size), Math.floor((m * (rank + 1)) / size)];
  const Z = { rows: last - first, cols: columns, data: new Float64Array((last - first) * columns) };
  for (let i = 0; i < Z.rows; i++) {
    for (let j = 0; j < columns; j++) Z.data[i * columns + j] = file.matrix.data[(first + i) * file.matrix.cols + j]!;
  }
  // Σx and Σx² of all ranks
  const sums = new Float64Array(2 * columns);
  for (let k = 0; k < Z.data.length; k++) {
    sums[k % columns]! += Z.data[k]!;
    sums[columns + (k % columns)]! += Z.data[k]! ** 2;
  }
  ranks?.sum(sums);
  for (let k = 0; k < Z.data.length; k++) {
    const mean = sums[k % columns]! / m;
    const deviation = Math.sqrt(sums[columns + (k % columns)]! / m - mean * mean);
    Z.data[k] = (Z.data[k]! - mean) / deviation;
  }
  return { Z, m };
}
