/**
 * Y ← B·X for B = Σ c_k·F₁F₂… and any number of columns: summands are added to one matrix if possible, and longer products of
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

/** n from which an n×n matrix is not copied for its sum with others (288 MB) */
const LARGEST_SUM = 6000;
/** Share of nonzero entries up to which a sum of outer products is stored as a sparse matrix */
const SPARSE = 1 / 3;
/** Cost of a product, relative to one with a dense n×n matrix, from which it is multiplied out */
const EXPENSIVE = 2;
/** Flops at most for multiplying out */
const MULTIPLIED_OUT = 3e8;

interface Added {
  readonly matrix: Matrix | Sparse | Tridiagonal;
  readonly operator: Operator;
}

type LeftSide = Required<Pick<QuadraticForm, "apply" | "flops">> &
  Pick<QuadraticForm, "matrix" | "symmetric" | "lowRank">;

export function leftSide(around: Surroundings, terms: readonly Summand[]): LeftSide {
  const { E, n, known } = around;
  const summands = terms.map((summand) => multipliedOut(around, summand));
  const { added, rest } = addedUp(around, summands);
  const actions = [
    ...(added ? [actionOf(added.operator)] : []),
    ...rest.map(({ c, factors }) => scaled(c, productAction(around, factors))),
  ];
  const flops = actions.reduce((sum, action) => sum + action.flops, n);
  if (rest.length > 0 && flops > EXPENSIVE * 2 * n * n && n * flops <= MULTIPLIED_OUT) {
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

/** The sum of the summands that are matrices of data, diagonals and outer products as one matrix, and the other summands */
function addedUp(around: Surroundings, summands: readonly Summand[]): { added?: Added; rest: Summand[] } {
  const { E, n, storage, known, read } = around;
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
  // the matrix of the user, without a copy
  if (own) return { added: { matrix: own, operator: storage.operator(plain[0]!.factors[0]![0], false).current }, rest };
  const matrix = sum();
  return { added: { matrix, operator: E.operator(matrix as Matrix) }, rest };

  function sum(): Matrix | Sparse | Tridiagonal {
    if (isDense || (joined.length > 0 && !isSparse)) return denseSum(n, plain, joined, known);
    const isBand = joined.length === 0 && plain.every(({ factors }) => isDiagonal(factors) || isTridiagonal(factors));
    return isBand ? tridiagonalSum(n, plain, known, read) : sparseSum(n, plain, joined, known, read);
  }
}

/** c·uvᵀ with u and v as vectors if they are products */
function shortened(summand: Summand, outer: Outer | undefined): Summand {
  if (!outer || summand.factors.length === 2) return summand;
  const column = (data: Float64Array): Node => lift("form", { rows: data.length, cols: 1, data });
  return { c: summand.c, factors: factors(column(outer.u), turned(column(outer.v))) };
}

/** Whether a product is the identity, one diagonal, or one constant matrix */
function isPlain(factors: readonly Factor[], n: number): boolean {
  if (factors.length > 1) return false;
  if (isOperator(factors)) return !operatorOf(factors[0]![0]).inverse;
  return isDiagonal(factors) || n <= LARGEST_SUM;
}

/** The symmetric matrix of data that a summand is; undefined otherwise */
function ownMatrix({ c, factors }: Summand): Matrix | Sparse | undefined {
  if (c !== 1 || factors.length === 0) return undefined;
  const [F] = factors[0]!;
  if (F.op === constantOp) return F.detail as Matrix;
  const sparse = F.op === operatorOp ? operatorOf(F).sparse : undefined;
  return sparse && sparseIsSorted(sparse) ? sparse : undefined;
}
