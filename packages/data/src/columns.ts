/** Some columns of a matrix of any kind, chosen by number from 1; of a table by name too. */

import { type ColumnChoice, type Matrix, ofDense, placesOf, type Sparse } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import type { ComplexPair } from "./loaded.js";

/** The chosen columns of a matrix */
export function chosenColumns(M: Matrix | Sparse | ComplexPair, choice: ColumnChoice): Matrix | Sparse | ComplexPair {
  if ("re" in M) return { re: ofDense(M.re, choice), im: ofDense(M.im, choice) };
  return isSparse(M) ? ofSparse(M, choice) : ofDense(M, choice);
}

function ofSparse({ rows, cols, pointers, indices, values }: Sparse, choice: ColumnChoice): Sparse {
  const places = placesOf(choice, cols);
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
