/** B = Σ c_k·F₁F₂… as one dense, sparse or tridiagonal matrix, entry by entry */

import type { Matrix, Sparse, Tridiagonal } from "@expen/linalg";
import { mapDiagonals, sparseFromTriplets, symmetricPart, toTridiagonal } from "@expen/linalg/arrays";
import type { Node } from "../graph.js";
import { operatorOf, operatorOp } from "../leaves.js";
import { diagOp } from "../operations/diagonal-matrix.js";
import { chain, type Factor, rowsOf, transposed } from "../operations/product.js";
import type { Constants } from "./constants.js";
import type { Summand } from "./tensor.js";

/** c·uvᵀ with the entries of u and v */
export interface Outer {
  readonly c: number;
  readonly u: Float64Array;
  readonly v: Float64Array;
}

export const isDiagonal = ([F, ...others]: readonly Factor[]): boolean =>
  !F || (others.length === 0 && F[0].op === diagOp);
export const isOperator = ([F, ...others]: readonly Factor[]): boolean =>
  others.length === 0 && F?.[0].op === operatorOp;
export const isTridiagonal = (factors: readonly Factor[]): boolean =>
  isOperator(factors) && operatorOf(factors[0]![0]).tridiagonal !== undefined;

/** A summand with an inner dimension of 1, as u times vᵀ */
export function outerOf({ c, factors }: Summand, { numbers }: Constants): Outer | undefined {
  const at = factors.findIndex((F) => rowsOf(F) === 1);
  if (at <= 0) return undefined;
  return { c, u: numbers(chain(factors.slice(0, at))), v: numbers(chain(transposed(factors.slice(at)))) };
}

export function entriesOf({ u, v }: Outer): number {
  const nonzeros = (a: Float64Array): number => a.reduce((count, x) => (x === 0 ? count : count + 1), 0);
  return nonzeros(u) * nonzeros(v);
}

export function denseSum(n: number, summands: readonly Summand[], outers: readonly Outer[], known: Constants): Matrix {
  const data = new Float64Array(n * n);
  for (const { c, factors } of summands) {
    if (isDiagonal(factors)) {
      const main = diagonalOf(factors, known);
      for (let k = 0; k < n; k++) data[k * (n + 1)]! += c * (main?.[k] ?? 1);
    } else {
      // only the symmetric part of A counts in the sum, which is symmetric
      const a = known.numbers(factors.length > 1 ? chain(factors) : factors[0]![0]);
      for (let k = 0; k < n * n; k++) data[k]! += c * a[k]!;
    }
  }
  for (const { c, u, v } of outers) {
    for (let i = 0; i < n; i++) {
      const x = c * u[i]!;
      if (x !== 0) for (let j = 0; j < n; j++) data[i * n + j]! += x * v[j]!;
    }
  }
  symmetricPart(data, data, n);
  return { rows: n, cols: n, data };
}

type Read = (M: Matrix) => Float64Array;

/** The entries of a diagonal; undefined for the identity */
const diagonalOf = ([F]: readonly Factor[], known: Constants): Float64Array | undefined =>
  F && known.numbers(F[0].args[0]!);

/** The sum of diagonal and tridiagonal summands */
export function tridiagonalSum(n: number, summands: readonly Summand[], known: Constants, read: Read): Tridiagonal {
  const sum = { lower: new Float64Array(n), main: new Float64Array(n), upper: new Float64Array(n) };
  for (const { c, factors } of summands) {
    const T = isOperator(factors) ? mapDiagonals(operatorOf(factors[0]![0]).tridiagonal!, read) : undefined;
    const main = T?.main ?? diagonalOf(factors, known);
    for (let i = 0; i < n; i++) {
      sum.main[i]! += c * (main?.[i] ?? 1);
      if (!T || i === 0) continue;
      // only the symmetric part of a summand counts in the sum, which is symmetric
      const off = (c * (T.lower[i]! + T.upper[i - 1]!)) / 2;
      sum.lower[i]! += off;
      sum.upper[i - 1]! += off;
    }
  }
  return toTridiagonal(sum);
}

/** The sum of diagonal, tridiagonal and sparse summands */
export function sparseSum(
  n: number,
  summands: readonly Summand[],
  outers: readonly Outer[],
  known: Constants,
  read: Read,
): Sparse {
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const push = (row: number, col: number, value: number): void => {
    i.push(row);
    j.push(col);
    values.push(value);
  };
  for (const { c, factors } of summands) {
    if (isDiagonal(factors)) {
      const main = diagonalOf(factors, known);
      for (let k = 0; k < n; k++) push(k, k, c * (main?.[k] ?? 1));
    } else {
      const [F, turned] = factors[0]!;
      entriesOfOperator(F, read, (row, col, value) => (turned ? push(col, row, c * value) : push(row, col, c * value)));
    }
  }
  for (const { c, u, v } of outers) {
    for (const [row, x] of u.entries())
      if (x !== 0) for (const [col, y] of v.entries()) if (y !== 0) push(row, col, c * x * y);
  }
  return sparseFromTriplets(n, n, i, j, values);
}

/** Calls `at` for each entry of a sparse or tridiagonal matrix of data. */
function entriesOfOperator(F: Node, read: Read, at: (row: number, col: number, value: number) => void): void {
  const { sparse, tridiagonal } = operatorOf(F);
  const T = tridiagonal && mapDiagonals(tridiagonal, read);
  for (let row = 0; row < F.rows; row++) {
    if (T) {
      at(row, row, T.main[row]!);
      if (row > 0) at(row, row - 1, T.lower[row]!);
      if (row < F.rows - 1) at(row, row + 1, T.upper[row]!);
    } else {
      for (let k = sparse!.pointers[row]!; k < sparse!.pointers[row + 1]!; k++)
        at(row, sparse!.indices[k]!, sparse!.values[k]!);
    }
  }
}
