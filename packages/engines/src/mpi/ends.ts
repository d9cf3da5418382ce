/** The first and the last of the rows that a rank has: all that its neighbours need of it where an operator is tridiagonal. */
import type { Engine, Small, Tall } from "@expen/linalg";

export interface Ends {
  /** the first row of x and then the last one, in an array that the next call uses again; 0 where there are no rows */
  read(x: Tall): Float64Array;
  /** y's first row += the first cols numbers, its last row += the next ones */
  add(y: Tall, rows: Float64Array): void;
}

/** Of inner matrices with `count` rows: in their own numbers, or on a device by products with [e₁, e_count] */
export function endsOf(inner: Engine, count: number): Ends {
  let both = new Float64Array(0);
  const room = (cols: number): Float64Array => (both.length === 2 * cols ? both : (both = new Float64Array(2 * cols)));
  if (count === 0) return { read: ({ cols }) => room(cols), add: () => undefined };
  if (inner.device) return throughProducts(inner, count, room);
  return {
    read({ cols, data }) {
      const into = room(cols);
      into.set(data.subarray(0, cols));
      into.set(data.subarray((count - 1) * cols, count * cols), cols);
      return into;
    },
    add({ cols, data }, rows) {
      for (let c = 0; c < cols; c++) data[c]! += rows[c]!;
      for (let c = 0, at = (count - 1) * cols; c < cols; c++) data[at + c]! += rows[cols + c]!;
    },
  };
}

function throughProducts(inner: Engine, count: number, room: (cols: number) => Float64Array): Ends {
  const numbers = new Float64Array(2 * count);
  numbers[0] = 1;
  numbers[2 * count - 1] = 1;
  const units = inner.tall(count, 2, numbers);
  let S: Small | undefined;
  const small = (cols: number): Small => (S?.cols === cols ? S : (S = inner.small(2, cols)));
  return {
    read(x) {
      inner.tmul(small(x.cols), units, x);
      return inner.read(small(x.cols), room(x.cols));
    },
    add(y, rows) {
      inner.write(small(y.cols), rows);
      inner.mul(y, units, small(y.cols), 1, 1);
    },
  };
}
