/** Products of sparse and tridiagonal matrices and diagonals, as DᵀWD of a difference operator D, written as one sparse matrix. */

import { type Sparse, sparseFromTriplets, sparseTranspose } from "../../arrays/sparse.js";
import { sparseProduct } from "../../arrays/sparse-product.js";
import { lift, operatorOf, operatorOp } from "../leaves.js";
import { diagOp } from "../operations/diagonal-matrix.js";
import { type Factor, factors } from "../operations/product.js";
import type { Surroundings } from "./action.js";
import { entriesOfOperator } from "./sums.js";
import type { Summand } from "./tensor.js";

/** A product may have so many times the entries of its factors: as many operations at most, and it can be factorized. */
const ENTRIES = 2;

/** The summand with one factor, where all are sparse and the product is */
export function multipliedOut(around: Surroundings, summand: Summand): Summand {
  if (summand.factors.length < 2) return summand;
  const given = summand.factors.map((factor) => sparseOf(around, factor));
  if (!given.every((S) => S !== undefined)) return summand;
  const most = ENTRIES * given.reduce((sum, { values }) => sum + values.length, 0);
  const [first, ...others] = given as [Sparse, ...Sparse[]];
  const product = others.reduce<Sparse | undefined>((left, S) => left && sparseProduct(left, S, most), first);
  return product ? { c: summand.c, factors: factors(lift("form", product)) } : summand;
}

function sparseOf({ known, read }: Surroundings, [F, turned]: Factor): Sparse | undefined {
  if (F.op === diagOp) {
    const places = Int32Array.from({ length: F.rows }, (_, k) => k);
    return sparseFromTriplets(F.rows, F.rows, places, places, known.numbers(F.args[0]!));
  }
  if (F.op !== operatorOp || operatorOf(F).inverse) return undefined;
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const { sparse } = operatorOf(F);
  if (!sparse) {
    entriesOfOperator(F, read, (row, col, value) => {
      i.push(row);
      j.push(col);
      values.push(value);
    });
  }
  const S = sparse ?? sparseFromTriplets(F.rows, F.cols, i, j, values);
  return turned ? sparseTranspose(S) : S;
}
