/** Samples as people hold them, one a row: rows of numbers, records with a choice of columns, tables with gaps. */
import {
  anything,
  type ColumnChoice,
  checkDataShape,
  checkSizes,
  type MatrixLike,
  oneOf,
  ProblemError,
  type ReadOptions,
  type SchemaOf,
  type Table,
  tableOf,
} from "@expen/linalg";
import type { ApplicationOptions } from "./application.js";

/** The options of an application on samples */
export interface SampleOptions extends ApplicationOptions {
  /** columns of the samples by name or by number from 1, ranges as text: ["petal_length", 1, "3-4"]; others may contain text */
  columns?: ColumnChoice;
  /** samples with missing numbers (null, NaN): an error, the default, or left out */
  gaps?: "refuse" | "drop";
}

export const sampleSchema: SchemaOf<Pick<SampleOptions, "columns" | "gaps">> = {
  columns: anything,
  gaps: oneOf(["refuse", "drop"]),
};

/** A table of samples, and notes on what was left out or looks wrong */
export interface Samples {
  readonly A: Table;
  readonly notes: string[];
}

/** The samples as a table of the right sizes; their numbers are checked later, in a pass over them */
export function samplesOf(
  application: string,
  source: MatrixLike,
  { columns, gaps, labels }: Pick<ReadOptions, "columns" | "gaps" | "labels">,
  sizeOf: (columns: number) => number,
  least = 2,
): Samples {
  // unless rows with gaps are left out, NaN is named later, with its row and column
  const o = gaps === "drop" ? { columns, gaps, labels } : { columns, labels };
  const { matrix: A, notes: all } = tableOf(application, "A", source, o);
  checkDataShape(application, "A", A, A.rows, A.cols);
  checkSizes(application, A.cols, sizeOf(A.cols));
  if (A.rows < least) {
    throw new ProblemError(`${application}: A has ${A.rows} rows; at least ${least} samples are needed.`);
  }
  const notes = all.filter((note) => note.includes("left out"));
  if (A.cols > A.rows && !A.names) {
    notes.push(
      `the data have ${A.rows} rows and ${A.cols} columns; a sample is a row: transpose them if it is a column`,
    );
  }
  return { A, notes };
}
