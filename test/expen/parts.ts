/** What the tests of ExPen say its identities in: ∇f, Λ = sym(XᵀG), K = XᵀX − I. */
import { tallOf } from "../../src/engines/own-matrix.js";
import { shiftedExpen } from "../../src/expen/shift.js";
import type { Matrix, Objective, Small, Tall } from "../../src/types.js";
import { js as E, normalSmall } from "../functions.js";

export const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
export const minus = (A: Matrix, B: Tall): Tall => {
  const C = tallOf(E, A);
  E.combine(C, -1, B, 1, C);
  return C;
};
export const gradient = (f: Objective, X: Tall): Tall => {
  const G = E.tall(f.n, f.p);
  f.fg(G, X);
  return G;
};
export const multiplier = (X: Tall, G: Tall): Small => {
  const S = E.small(X.cols, X.cols);
  E.tmul(S, X, G);
  E.symmetrize(S);
  return S;
};
export const infeasibility = (X: Tall): Small => {
  const K = E.small(X.cols, X.cols);
  E.gram(K, X);
  E.addDiagonal(K, -1);
  return K;
};
export function shifted(f: Objective, beta: number) {
  const h = shiftedExpen(E, f, beta);
  const M = normalSmall(E, f.p, f.p, 7);
  E.symmetrize(M);
  E.copy(h.M, M);
  return { h, M };
}
