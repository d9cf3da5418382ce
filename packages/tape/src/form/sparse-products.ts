/** Products of sparse and tridiagonal matrices and diagonals, as DᵀWD of a difference operator D, written as one sparse matrix. */

import type { Sparse } from "@expen/linalg";
import { sparseProduct, sparseTranspose } from "@expen/linalg/arrays";
import { lift, operatorOf, operatorOp } from "../leaves.js";
import { diagOp } from "../operations/diagonal-matrix.js";
import { type Factor, factors } from "../operations/product.js";
import type { Surroundings } from "./action.js";
import { sparseSum } from "./sums.js";
import type { Summand } from "./tensor.js";

/** Entries of a product relative to those of its factors at most, so that it costs about the same and can be factorized */
const ENTRIES = 2;

/** The summand with its product as one factor, if the factors and the product are sparse */
export function multipliedOut(around: Surroundings, summand: Summand): Summand {
  if (summand.factors.length < 2) return summand;
  const matrices = summand.factors.map((factor) => sparseOf(around, factor));
  if (!matrices.every((S) => S !== undefined)) return summand;
  const most = ENTRIES * matrices.reduce((sum, { values }) => sum + values.length, 0);
  const [first, ...others] = matrices as [Sparse, ...Sparse[]];
  const product = others.reduce<Sparse | undefined>((left, S) => left && sparseProduct(left, S, most), first);
  return product ? { c: summand.c, factors: factors(lift("form", product)) } : summand;
}

function sparseOf({ known, read }: Surroundings, factor: Factor): Sparse | undefined {
  const [F, turned] = factor;
  const { sparse, inverse } = F.op === operatorOp ? operatorOf(F) : { inverse: F.op !== diagOp };
  if (inverse) return undefined;
  if (sparse) return turned ? sparseTranspose(sparse) : sparse;
  return sparseSum(F.rows, [{ c: 1, factors: [factor] }], [], known, read);
}
