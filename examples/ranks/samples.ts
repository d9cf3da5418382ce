// The samples of this rank: rows of a file, centred and scaled by the means and standard deviations of all rows.
import type { Engine, Matrix, Tall } from "expen";
import { loadMatrix } from "expen/data";
import { sumOverRanks } from "expen/engines";

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

/** f = −Σ h(z·x_j)/m over samples z and columns x_j, summed over ranks; `h` gives h(y) and h′(y) */
export function contrast(E: Engine, n: number, p: number, h: (y: number) => readonly [number, number]) {
  const { Z, m } = samples(E, n);
  const A = E.operator(Z);
  const [Y, T] = [E.tall(Z.rows, p), new Float64Array(Z.rows * p)];
  return sumOverRanks(E, {
    fg(G: Tall, X: Tall): number {
      A.apply(Y, X);
      E.read(Y, T);
      let f = 0;
      for (let k = 0; k < T.length; k++) {
        const [value, slope] = h(T[k]!);
        f -= value / m;
        T[k] = slope;
      }
      E.write(Y, T);
      A.applyT(G, Y, -1 / m);
      return f;
    },
  });
}
