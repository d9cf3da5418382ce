/** f(U, V) = −⟨U, A·V⟩, the objective of singular vectors and of canonical correlations. */

import type { UserObjective } from "@expen/core";
import type { Engine, Matrix, Operator, Tall } from "@expen/linalg";
import { svd } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { image, peakSigns, plainOf, scaleColumns } from "./application.js";

export type Pair<M extends Matrix = Matrix> = { readonly U: M; readonly V: M };

/** ∇f = (−A·V, −Aᵀ·U), and ∇²f is the same map on directions */
export function bilinear(E: Engine, A: Operator): UserObjective<Pair<Tall>> {
  const map = (G: Pair<Tall>, X: Pair<Tall>): void => {
    A.apply(G.U, X.V, -1);
    A.applyT(G.V, X.U, -1);
  };
  return {
    fg(G, X) {
      map(G, X);
      return E.dot(X.U, G.U);
    },
    hvp: (H, _X, D) => map(H, D),
  };
}

/** With UᵀAV = P·Diag(s)·Qᵀ: UP and VQ, paired column by column, by decreasing s; the largest entry of each column of UP is positive */
export function paired(E: Engine, A: Operator, { U, V }: Pair): Pair & { values: number[] } {
  const [k, u, v] = [U.cols, tallOf(E, U), tallOf(E, V)];
  const core = E.small(k, k);
  E.tmul(core, u, image(E, A, V));
  const { U: P, s, V: Q } = svd(E, core);
  const [UP, VQ] = [E.tall(U.rows, k), E.tall(V.rows, k)];
  E.mul(UP, u, P);
  E.mul(VQ, v, Q);
  const left = plainOf(E, UP);
  const signs = peakSigns(left);
  return { U: scaleColumns(left, signs), V: scaleColumns(plainOf(E, VQ), signs), values: Array.from(s) };
}
