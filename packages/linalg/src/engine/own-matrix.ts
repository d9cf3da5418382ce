/** Matrices of users and files, which may belong to an engine or lie in host memory */
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Small, Tall } from "../contracts/matrix.js";
import type { Owned } from "./kernels.js";

const ownerOf = (A: Matrix): object | undefined => (A as Partial<Owned>).owner;

export function isOf(E: Engine, A: Matrix): boolean {
  const owner = ownerOf(A);
  return owner !== undefined && owner === ownerOf(E.small(0, 0));
}

/** The entries of A, row-major: a copy if A belongs to E, otherwise `A.data` itself */
export const numbersOf = (E: Engine, A: Matrix): Float64Array => (isOf(E, A) ? E.read(A as Tall) : A.data);

/** A copy of A as a tall or as a small matrix of E */
export const tallOf = (E: Engine, A: Matrix): Tall => E.tall(A.rows, A.cols, numbersOf(E, A));
export const smallOf = (E: Engine, A: Matrix): Small => E.small(A.rows, A.cols, numbersOf(E, A));
