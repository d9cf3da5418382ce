/**
 * Y ← B·X for B = Σ c_k·F₁F₂…, any number of columns: what can be one matrix is added up beforehand, longer products of
 * dense matrices are applied factor by factor.
 */

import type { QuadraticForm } from "@expen/core";
import type { Matrix, Operator, Sparse, Tridiagonal } from "@expen/linalg";
import { sparseIsSorted } from "@expen/linalg/arrays";
import type { Node } from "../graph.js";
import { constantOp, lift, operatorOf, operatorOp } from "../leaves.js";
import { type Factor, factors, turned } from "../operations/product.js";
import { actionOf, productAction, type Surroundings, scaled } from "./action.js";
import { lowRank } from "./low-rank.js";
import { multipliedOut } from "./sparse-products.js";
import {
  denseSum,
  entriesOf,
  isDiagonal,
  isOperator,
  isTridiagonal,
  type Outer,
  outerOf,
  sparseSum,
  tridiagonalSum,
} from "./sums.js";
import type { Summand } from "./tensor.js";

/** An n×n matrix this large is not copied for its sum with others. */
const LARGEST_SUM = 6000;
/** A sum of outer products is kept as a sparse matrix if it has no more than this part of all entries. */
const SPARSE = 1 / 3;
/** Products that take more operations than so many with a dense matrix are multiplied out, if that takes no more than … in all. */
const DEAR = 2;
const MULTIPLIED_OUT = 3e8;

interface Added {
  readonly matrix: Matrix | Sparse | Tridiagonal;
  readonly operator: Operator;
}

type LeftSide = Required<Pick<QuadraticForm, "apply" | "flops">> &
  Pick<QuadraticForm, "matrix" | "symmetric" | "lowRank">;

export function leftSide(around: Surroundings, given: readonly Summand[]): LeftSide {
  const { E, n, known } = around;
  const summands = given.map((summand) => multipliedOut(around, summand));
  const { added, rest } = addedUp(around, summands);
  const actions = [
    ...(added ? [actionOf(added.operator)] : []),
    ...rest.map(({ c, factors }) => scaled(c, productAction(around, factors))),
  ];
  const flops = actions.reduce((sum, action) => sum + action.flops, n);
  if (rest.length > 0 && flops > DEAR * 2 * n * n && n * flops <= MULTIPLIED_OUT) {
    const matrix = denseSum(n, summands, [], known);
    const operator = E.operator(matrix);
    return { matrix, symmetric: true, flops: operator.flops + n, apply: (Y, X) => operator.apply(Y, X) };
  }
  return {
    apply(Y, X) {
      if (actions.length === 0) E.fill(Y, 0);
      for (const [i, { add }] of actions.entries()) add(Y, X, 1, i === 0 ? 0 : 1);
    },
    flops,
    ...(added && rest.length === 0 && { matrix: added.matrix, symmetric: true }),
    ...(!added && rest.length === 1 && { lowRank: lowRank(around, rest[0]!) }),
  };
}

/** The summands that are matrices of data, diagonals and outer products as one matrix, and the others */
function addedUp(around: Surroundings, summands: readonly Summand[]): { added?: Added; rest: Summand[] } {
  const { E, n, held, known, read } = around;
  const plain = summands.filter(({ factors }) => isPlain(factors, n));
  const outers = new Map(summands.flatMap((summand) => [[summand, outerOf(summand, known)] as const]));
  const all = [...outers.values()].flatMap((outer) => outer ?? []);
  const isDense = plain.some(({ factors }) => !isDiagonal(factors) && !isOperator(factors));
  const isSparse = !isDense && all.reduce((sum, outer) => sum + entriesOf(outer), 0) <= SPARSE * n * n;
  const many = n <= LARGEST_SUM && 2 * all.length >= n;
  const joined = isDense || isSparse || many ? all : [];
  const rest = summands
    .filter((summand) => !plain.includes(summand) && (joined.length === 0 || !outers.get(summand)))
    .map((summand) => shortened(summand, outers.get(summand)));
  if (plain.length + joined.length === 0) return { rest };
  const own = joined.length === 0 && plain.length === 1 ? ownMatrix(plain[0]!) : undefined;
  // the user's own matrix, without a copy
  if (own) return { added: { matrix: own, operator: held.operator(plain[0]!.factors[0]![0], false).current }, rest };
  const matrix = sum();
  return { added: { matrix, operator: E.operator(matrix as Matrix) }, rest };

  function sum(): Matrix | Sparse | Tridiagonal {
    if (isDense || (joined.length > 0 && !isSparse)) return denseSum(n, plain, joined, known);
    const isBand = joined.length === 0 && plain.every(({ factors }) => isDiagonal(factors) || isTridiagonal(factors));
    return isBand ? tridiagonalSum(n, plain, known, read) : sparseSum(n, plain, joined, known, read);
  }
}

/** c·uvᵀ by u and v themselves, where these are products */
function shortened(summand: Summand, outer: Outer | undefined): Summand {
  if (!outer || summand.factors.length === 2) return summand;
  const column = (data: Float64Array): Node => lift("form", { rows: data.length, cols: 1, data });
  return { c: summand.c, factors: factors(column(outer.u), turned(column(outer.v))) };
}

/** The identity, one diagonal or one matrix of data, or of numbers made of data */
function isPlain(factors: readonly Factor[], n: number): boolean {
  if (factors.length > 1) return false;
  if (isOperator(factors)) return !operatorOf(factors[0]![0]).inverse;
  return isDiagonal(factors) || n <= LARGEST_SUM;
}

/** A symmetric matrix of data that needs nothing done to it */
function ownMatrix({ c, factors }: Summand): Matrix | Sparse | undefined {
  if (c !== 1 || factors.length === 0) return undefined;
  const [F] = factors[0]!;
  if (F.op === constantOp) return F.detail as Matrix;
  const sparse = F.op === operatorOp ? operatorOf(F).sparse : undefined;
  return sparse && sparseIsSorted(sparse) ? sparse : undefined;
}
