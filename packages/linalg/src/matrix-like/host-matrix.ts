import type { Table } from "./types.js";

/**
 * A matrix of an answer: its numbers row by row in `data`, and the forms that others take.
 *
 *     X.toRows()                     // number[][]
 *     X.toRecords()                  // [{ pc1: 0.3, pc2: -1.2 }, …], with the names of the columns
 *     X.column(0)                    // Float64Array
 *     JSON.stringify(X)              // {"rows":150,"cols":2,"data":[…]}, which asMatrix and expen read
 */
export class HostMatrix implements Table {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
  declare readonly names?: readonly string[];

  constructor({ rows, cols, data, names }: Table) {
    this.rows = rows;
    this.cols = cols;
    this.data = data;
    if (names) this.names = names;
  }

  get shape(): [rows: number, cols: number] {
    return [this.rows, this.cols];
  }

  toRows(): number[][] {
    const { rows, cols, data } = this;
    return Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
  }

  /** Rows as objects; columns without names are called 1, 2, … */
  toRecords(): { [column: string]: number }[] {
    const names = this.names ?? Array.from({ length: this.cols }, (_, j) => String(j + 1));
    return this.toRows().map((row) => Object.fromEntries(row.map((v, j) => [names[j]!, v])));
  }

  column(j: number): Float64Array {
    if (!Number.isInteger(j) || j < 0 || j >= this.cols) {
      throw new RangeError(`column: j is ${j}; it must be a whole number from 0 to ${this.cols - 1}.`);
    }
    return Float64Array.from({ length: this.rows }, (_, i) => this.data[i * this.cols + j]!);
  }

  /** Shape and numbers; NaN and infinity, which JSON has not, become null. */
  toJSON(): { rows: number; cols: number; names?: readonly string[]; data: number[] } {
    const { rows, cols, names, data } = this;
    return { rows, cols, ...(names && { names }), data: Array.from(data) };
  }
}

/** The same numbers, without a copy, as a matrix of an answer; `names`: of its columns */
export const hostMatrix = (M: Table, names: Table["names"] = M.names): HostMatrix =>
  new HostMatrix({ ...M, ...(names && { names }) });
