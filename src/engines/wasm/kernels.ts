/** The kernels of one thread: pointers and sizes for assembly/. */
import type { Kernels, Owned, Scalars } from "../engine.js";
import type { Exports } from "./modules.js";

/** The instance in use; `dispose` takes it away, and its memory with it. */
export interface Host {
  exports: Exports;
}

/** Numbers of a block that stays in the first-level cache while several matrices pass over it */
const BLOCK = 2048;

/**
 * `scratch`: where gemm packs its factors. `cell`: a 1×2 matrix for coefficients and results; as arguments of an export they are boxed as
 * soon as the process has a second instance of the module.
 */
export function singleKernels(host: Host, scratch: number, cell: Owned): Kernels {
  function coefficients({ a, b }: Scalars): void {
    const c = cell.data;
    c[0] = a;
    c[1] = b;
  }

  return {
    gemm(m, n, k, a, A, tA, B, tB, b, C) {
      host.exports.gemm(m, n, k, a, A.at, tA ? m : k, tA ? 1 : 0, B.at, tB ? k : n, tB ? 1 : 0, b, C.at, n, scratch);
    },
    syrk(n, p, A, S) {
      host.exports.syrkUpper(0, p, n, p, A.at, S.at, scratch);
      host.exports.mirror(p, S.at);
    },
    dot(size, X, Y, s) {
      host.exports.dotTo(size, X.at, Y.at, cell.at);
      s.value = cell.data[0]!;
    },
    dots(size, count, Xs, Y, r) {
      r.fill(0, 0, count);
      for (let i = 0; i < size; i += BLOCK) {
        const length = Math.min(BLOCK, size - i);
        for (let l = 0; l < count; l++) {
          host.exports.dotTo(length, Xs[l]!.at + 8 * i, Y.at + 8 * i, cell.at);
          r[l]! += cell.data[0]!;
        }
      }
    },
    combination(size, count, c, Xs, b, Z) {
      for (let i = 0; i < size; i += BLOCK) {
        const length = Math.min(BLOCK, size - i);
        for (let l = 0; l < count; l++) {
          cell.data[0] = c[l]!;
          cell.data[1] = l === 0 ? b : 1;
          host.exports.axpby(length, cell.at, Xs[l]!.at + 8 * i, Z.at + 8 * i);
        }
      }
    },
    copy: (size, X, Y) => host.exports.copy(size, X.at, Y.at),
    fill: (size, a, Y) => host.exports.fill(size, a, Y.at),
    axpby(size, s, X, Y) {
      coefficients(s);
      host.exports.axpby(size, cell.at, X.at, Y.at);
    },
    combine(size, s, X, Y, Z) {
      coefficients(s);
      host.exports.combine(size, cell.at, X.at, Y.at, Z.at);
    },
    hadamard: (size, a, X, Y, b, Z) => host.exports.hadamard(size, a, X.at, Y.at, b, Z.at),
    symmetrize: (p, S) => host.exports.symmetrize(p, S.at),
    addDiagonal: (p, a, S) => host.exports.addDiagonal(p, a, S.at),
    rowDots: (n, p, X, Y, r) => host.exports.rowDots(n, p, X.at, Y.at, r.at),
    scaleRows: (n, p, a, r, X, b, Y) => host.exports.scaleRows(n, p, a, r.at, X.at, b, Y.at),
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      host.exports.tridiagonal(0, n, n, p, a, lower.at, main.at, upper.at, X.at, b, Y.at),
    tridiagonalSolve: (n, p, lower, pivot, upper, X, Y) =>
      host.exports.tridiagonalSolve(n, p, p, lower.at, pivot.at, upper.at, X.at, Y.at),
  };
}
