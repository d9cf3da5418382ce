/** The matrices in which tests state identities of ExPen: ∇f, S = sym(XᵀG), K = XᵀX − I, dense Hessians. */

import type { Matrix, Small, Tall } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { js as E, normalSmall } from "@expen/testing/functions";
import type { Objective } from "../../src/contracts/objective.js";
import { shiftedExpen } from "../../src/expen/shift.js";

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

/** The np×np matrix of D ↦ ∇²f(X)[D] */
export function hessianMatrix(f: Objective, X: Tall): Small {
  const size = f.n * f.p;
  const A = E.small(size, size);
  const [D, H] = [E.tall(f.n, f.p), E.tall(f.n, f.p)];
  for (let i = 0; i < size; i++) {
    E.fill(D, 0);
    D.data[i] = 1;
    f.hvp!(H, X, D);
    A.data.set(H.data, i * size);
  }
  E.symmetrize(A);
  return A;
}

/** The eigenvalues of the Riemannian Hessian D ↦ P(∇²f(X)[D] − D·S) on the tangent space at a feasible X, ascending */
export function riemannianSpectrum(f: Objective, X: Tall): number[] {
  const S = multiplier(X, gradient(f, X));
  // on the normal space the identity times a number far above the others, to tell them apart
  const far = 1e4;
  const project = (Z: Tall): void => E.mul(Z, X, multiplier(X, Z), -1, 1);
  const extended: Objective = {
    ...f,
    hvp(H, _X, D) {
      const P = tallOf(E, D);
      project(P);
      f.hvp!(H, X, P);
      E.mul(H, P, S, -1, 1);
      project(H);
      E.combine(P, 1, D, -1, P);
      E.combine(H, far, P, 1, H);
    },
  };
  return [...eigh(E, hessianMatrix(extended, X)).values].filter((value) => value < far / 2);
}
