import type { Matrix } from "@expen/linalg";

/** The bound of every entry; `none` in columns that are not selected */
export function limitsOf(
  kind: string,
  limit: number | Matrix,
  rows: number,
  cols: number,
  columns: readonly number[] | undefined,
  none: number,
): Float64Array {
  const isColumn = new Set(columns ?? Array.from({ length: cols }, (_, j) => j));
  for (const j of isColumn) {
    if (Number.isInteger(j) && j >= 0 && j < cols) continue;
    throw new RangeError(`${kind}: columns has ${j}; X has the columns 0 to ${cols - 1}.`);
  }
  let at: (i: number) => number = () => limit as number;
  if (typeof limit !== "number") {
    if (limit.rows !== rows || limit.cols !== cols) {
      throw new RangeError(
        `${kind}: a bound is ${limit.rows}×${limit.cols} but X is ${rows}×${cols}; give that shape.`,
      );
    }
    const { data } = limit;
    const bad = data.findIndex(Number.isNaN);
    if (bad >= 0) throw new RangeError(`${kind}: entry (${Math.floor(bad / cols)}, ${bad % cols}) of a bound is NaN.`);
    at = (i) => data[i]!;
  }
  return Float64Array.from({ length: rows * cols }, (_, i) => (isColumn.has(i % cols) ? at(i) : none));
}
