/** Products and sums over rows: the only operations that communicate if rows are distributed. */

import type { Engine } from "../../contracts/engine.js";
import type { Matrix } from "../../contracts/matrix.js";
import { EngineError } from "../../errors.js";
import { shape } from "../checks.js";
import type { Owned } from "../kernels.js";
import { type Base, scale } from "./given.js";

/** C ← a·op(A)·op(B) + b·C for matrices of any kinds, which the caller has checked */
export type Product = (
  op: string,
  C: Matrix,
  A: Matrix,
  tA: boolean,
  B: Matrix,
  tB: boolean,
  a: number,
  b: number,
) => void;

export function contractions(base: Base): Pick<Engine, "gram" | "tmul" | "dot" | "dots"> & { product: Product } {
  const { kernels: k, counters, own, ownSmall, ofOneKind, same, alike, apart, family } = base;

  const product: Product = (op, C, A, tA, B, tB, a, b) => {
    const c = own(C, op, "the destination");
    const x = own(A, op, "the first factor");
    const y = own(B, op, "the second factor");
    apart(C, A, op, "of the first factor");
    apart(C, B, op, "of the second factor");
    const m = tA ? A.cols : A.rows;
    const inner = tA ? A.rows : A.cols;
    const n = tB ? B.rows : B.cols;
    if ((tB ? B.cols : B.rows) !== inner) {
      throw new EngineError(
        `${op}: inner sizes differ, ${shape(A)}${tA ? "ᵀ" : ""} times ${shape(B)}${tB ? "ᵀ" : ""}; check the order and the transposes.`,
      );
    }
    same(C, m, n, op, "the destination", "rows of the first by columns of the second factor");
    if (m === 0 || n === 0) return;
    if (inner === 0 || a === 0) scale(base, m * n, b, c);
    else {
      counters.flops += 2 * m * n * inner;
      k.gemm(m, n, inner, a, x, tA, y, tB, b, c);
    }
  };

  return {
    product,

    gram(S, A, b = 0) {
      const s = ownSmall(S, "gram", "the destination");
      const x = own(A, "gram", "A");
      apart(S, A, "gram", "A");
      same(S, A.cols, A.cols, "gram", "S", "columns of A squared");
      if (A.cols === 0) return;
      if (A.rows === 0) scale(base, A.cols * A.cols, b, s);
      else {
        counters.flops += A.rows * A.cols * (A.cols + 1);
        k.gram(A.rows, A.cols, x, b, s);
      }
    },

    tmul(S, A, B, a = 1, b = 0) {
      ownSmall(S, "tmul", "the destination");
      ofOneKind(A, B, "tmul", "both factors");
      product("tmul", S, A, true, B, false, a, b);
    },

    dot(X, Y) {
      const x = own(X, "dot", "X");
      const y = own(Y, "dot", "Y");
      alike(Y, X, "dot", "Y", "the shape of X");
      const size = X.rows * X.cols;
      counters.entries += size;
      return size === 0 ? 0 : k.dot(size, x, y);
    },

    dots(r, Xs, count, Y) {
      const y = own(Y, "dots", "Y");
      family(Xs, count, r, Y, "dots");
      const size = Y.rows * Y.cols;
      counters.entries += count * size;
      if (size === 0) r.fill(0, 0, count);
      else if (count > 0) k.dots(size, count, Xs as readonly Matrix[] as readonly Owned[], y, r);
    },
  };
}
