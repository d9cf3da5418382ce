/** Operations in which each row of the result depends on the same row of the tall arguments only */
import type { Engine } from "../../contracts/engine.js";
import type { Product } from "./contractions.js";
import { type Base, scale } from "./given.js";

export function rowByRow(base: Base, product: Product): Pick<Engine, "mul" | "mulT" | "rowDots" | "scaleRows"> {
  const { kernels: k, counters, own, ownSmall, ofOneKind, alike, apart, column } = base;
  const both = "the destination and the first factor";
  return {
    mul(Y, A, S, a = 1, b = 0) {
      ownSmall(S, "mul", "the second factor");
      ofOneKind(Y, A, "mul", both);
      product("mul", Y, A, false, S, false, a, b);
    },

    mulT(Y, A, S, a = 1, b = 0) {
      ownSmall(S, "mulT", "the second factor");
      ofOneKind(Y, A, "mulT", both);
      product("mulT", Y, A, false, S, true, a, b);
    },

    rowDots(r, X, Y) {
      const d = own(r, "rowDots", "r");
      const x = own(X, "rowDots", "X");
      const y = own(Y, "rowDots", "Y");
      apart(r, X, "rowDots", "X");
      apart(r, Y, "rowDots", "Y");
      alike(Y, X, "rowDots", "Y", "the shape of X");
      column(r, X, "rowDots");
      if (X.rows === 0) return;
      counters.entries += X.rows * X.cols;
      if (X.cols === 0) k.fill(X.rows, 0, d);
      else k.rowDots(X.rows, X.cols, x, y, d);
    },

    scaleRows(Y, r, X, a = 1, b = 0) {
      const y = own(Y, "scaleRows", "Y");
      const d = own(r, "scaleRows", "r");
      const x = own(X, "scaleRows", "X");
      apart(Y, X, "scaleRows", "X");
      apart(Y, r, "scaleRows", "r");
      alike(Y, X, "scaleRows", "Y", "the shape of X");
      column(r, X, "scaleRows");
      const size = X.rows * X.cols;
      if (size === 0) return;
      counters.entries += size;
      if (a === 0) scale(base, size, b, y);
      else k.scaleRows(X.rows, X.cols, a, d, x, b, y);
    },
  };
}
