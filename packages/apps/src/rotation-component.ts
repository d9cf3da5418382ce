/** The two components of the orthogonal group, det = 1 and det = −1: no continuous path joins them. */

import { randomStart } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { determinantSign } from "@expen/linalg/arrays";
import { plainOf, scaleColumns } from "./application.js";

/** The sign of the determinant of a square matrix */
export const orientation = ({ rows, data }: Matrix): number => determinantSign(data.slice(), rows);

/** A random orthogonal matrix with determinant `sign` */
function orthogonalStart(E: Engine, n: number, seed: number, sign: 1 | -1): Matrix {
  const Q = plainOf(E, randomStart(E, n, n, seed));
  if (orientation(Q) === sign) return Q;
  return scaleColumns(
    Q,
    Array.from({ length: n }, (_, j) => (j === 0 ? -1 : 1)),
  );
}

export const bothComponents = (E: Engine, n: number, seed: number): Matrix[] => [
  orthogonalStart(E, n, seed, 1),
  orthogonalStart(E, n, seed, -1),
];
