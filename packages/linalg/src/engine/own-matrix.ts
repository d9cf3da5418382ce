/** Matrices that may be of an engine or in host memory: those that users and files give. */
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Small, Tall } from "../contracts/matrix.js";
import type { Owned } from "./kernels.js";

const ownerOf = (A: Matrix): object | undefined => (A as Partial<Owned>).owner;

export function isOf(E: Engine, A: Matrix): boolean {
  const owner = ownerOf(A);
  return owner !== undefined && owner === ownerOf(E.small(0, 0));
}

/** The numbers of A, row after row: a copy where A is of E, else A's own. */
export const numbersOf = (E: Engine, A: Matrix): Float64Array => (isOf(E, A) ? E.read(A as Tall) : A.data);

/** A copy of A as a tall or as a small matrix of E */
export const tallOf = (E: Engine, A: Matrix): Tall => E.tall(A.rows, A.cols, numbersOf(E, A));
export const smallOf = (E: Engine, A: Matrix): Small => E.small(A.rows, A.cols, numbersOf(E, A));
