/** Some columns of a table, chosen by name or by number from 1. */

import type { Matrix } from "@expen/linalg";
import { nearest, type Sparse, shown } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { requireMemoryFor } from "@expen/linalg/memory";
import { type ComplexPair, DataError } from "./loaded.js";

/** Names of a header, numbers from 1, and ranges of numbers as text: ["petal_length", 1, "3-4"] */
export type ColumnChoice = readonly (string | number)[];

/** A choice that the table does not have; the sentence begins with the word columns. */
export class ColumnError extends DataError {}

const RANGE = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/;

/** Whether the choice has names, which need a header */
export const hasNames = (chosen: ColumnChoice): boolean => chosen.some((part) => !RANGE.test(String(part)));

/** Throws unless the choice is a list of names and numbers. */
export function requireChoice(chosen: unknown): void {
  const isPart = (part: unknown): boolean => typeof part === "string" || typeof part === "number";
  if (Array.isArray(chosen) && chosen.length > 0 && chosen.every(isPart)) return;
  const empty = Array.isArray(chosen) && chosen.length === 0 ? "an empty list" : shown(chosen);
  throw new ColumnError(
    `columns is ${empty}; it must be a list of names and of numbers from 1, as in ["petal_length", 3].`,
  );
}

/** Indices of the chosen columns among `count`; `names`: the header, if any */
export function placesOf(chosen: ColumnChoice, count: number, names?: readonly string[]): number[] {
  return chosen.flatMap((part) => {
    const named = names?.indexOf(String(part).trim()) ?? -1;
    if (named >= 0) return [named];
    const range = RANGE.exec(String(part));
    if (!range) throw unknownName(String(part), names);
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (!(from >= 1 && to >= from && to <= count)) {
      throw new ColumnError(
        `columns is ${shown(part)}; it must be numbers and ranges from 1 to ${count}, as in 1-4,7.`,
      );
    }
    return Array.from({ length: to - from + 1 }, (_, k) => from - 1 + k);
  });
}

function unknownName(name: string, names?: readonly string[]): ColumnError {
  if (!names) return new ColumnError(`columns is '${name}', but the file has no names of columns; choose by numbers.`);
  const guess = nearest(name, names);
  const hint = guess ? `did you mean '${guess}'? T` : "t";
  return new ColumnError(`columns is '${name}'; ${hint}he columns are ${names.join(", ")}.`);
}

/** The chosen columns of a matrix */
export function chosenColumns(M: Matrix | Sparse | ComplexPair, chosen: ColumnChoice): Matrix | Sparse | ComplexPair {
  if ("re" in M) return { re: ofDense(M.re, chosen), im: ofDense(M.im, chosen) };
  return isSparse(M) ? ofSparse(M, chosen) : ofDense(M, chosen);
}

/** `chosenColumns` of a dense matrix */
export function ofDense({ rows, cols, data }: Matrix, chosen: ColumnChoice): Matrix {
  const places = placesOf(chosen, cols);
  requireMemoryFor(rows, places.length);
  const numbers = new Float64Array(rows * places.length);
  for (let i = 0, at = 0; i < rows; i++) for (const j of places) numbers[at++] = data[i * cols + j]!;
  return { rows, cols: places.length, data: numbers };
}

function ofSparse({ rows, cols, pointers, indices, values }: Sparse, chosen: ColumnChoice): Sparse {
  const places = placesOf(chosen, cols);
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < rows; row++) {
    for (let k = pointers[row]!; k < pointers[row + 1]!; k++) {
      places.forEach((place, to) => {
        if (place !== indices[k]) return;
        i.push(row);
        j.push(to);
        v.push(values[k]!);
      });
    }
  }
  return sparseFromTriplets(rows, places.length, i, j, v);
}
