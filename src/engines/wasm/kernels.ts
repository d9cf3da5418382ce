/** The kernels of one thread: pointers and sizes for assembly/. */
import type { Kernels } from "../engine.js";
import type { Exports } from "./modules.js";

export function singleKernels(x: Exports, scratch: number): Kernels {
  return {
    gemm(m, n, k, a, A, tA, B, tB, b, C) {
      x.gemm(m, n, k, a, A.at, tA ? m : k, tA ? 1 : 0, B.at, tB ? k : n, tB ? 1 : 0, b, C.at, n, scratch);
    },
    syrk(n, p, A, S) {
      x.syrkUpper(0, p, n, p, A.at, S.at, scratch);
      x.mirror(p, S.at);
    },
    dot: (size, X, Y) => x.dot(size, X.at, Y.at),
    copy: (size, X, Y) => x.copy(size, X.at, Y.at),
    fill: (size, a, Y) => x.fill(size, a, Y.at),
    axpby: (size, a, X, b, Y) => x.axpby(size, a, X.at, b, Y.at),
    combine: (size, a, X, b, Y, Z) => x.combine(size, a, X.at, b, Y.at, Z.at),
    hadamard: (size, a, X, Y, b, Z) => x.hadamard(size, a, X.at, Y.at, b, Z.at),
    symmetrize: (p, S) => x.symmetrize(p, S.at),
    addDiagonal: (p, a, S) => x.addDiagonal(p, a, S.at),
    rowDots: (n, p, X, Y, r) => x.rowDots(n, p, X.at, Y.at, r.at),
    scaleRows: (n, p, a, r, X, b, Y) => x.scaleRows(n, p, a, r.at, X.at, b, Y.at),
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      x.tridiagonal(0, n, n, p, a, lower.at, main.at, upper.at, X.at, b, Y.at),
    tridiagonalSolve: (n, p, lower, pivot, upper, X, Y) =>
      x.tridiagonalSolve(n, p, p, lower.at, pivot.at, upper.at, X.at, Y.at),
  };
}
