/** Tall matrices in host memory: all of their rows, or under MPI those of this process. */
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { rowsOf, tallOf } from "@expen/linalg/engine";

/** The n×p matrix with these rows, on the engine */
export function fromRows(E: Engine, n: number, X: Matrix): Tall {
  if (!E.ranks) return tallOf(E, X);
  const T = E.tall(n, X.cols);
  rowsOf(E, T).data.set(X.data);
  return T;
}

/** The sign, ±1, of the entry of largest modulus in each column, whichever process has it */
export function signsOf({ ranks }: Pick<Engine, "ranks">, { rows, cols, data }: Matrix): number[] {
  const { rank, size } = ranks ?? { rank: 0, size: 1 };
  const peaks = new Float64Array(size * cols);
  const own = peaks.subarray(rank * cols, (rank + 1) * cols);
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at++) if (Math.abs(data[at]!) > Math.abs(own[j]!)) own[j] = data[at]!;
  }
  ranks?.sum(peaks);
  return Array.from({ length: cols }, (_, j) => {
    let peak = 0;
    for (let k = j; k < peaks.length; k += cols) if (Math.abs(peaks[k]!) > Math.abs(peak)) peak = peaks[k]!;
    return peak < 0 ? -1 : 1;
  });
}
