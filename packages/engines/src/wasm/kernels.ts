/** The kernels of one thread: calls of assembly/ with addresses and sizes. */
import type { Kernels, Owned } from "@expen/linalg/engine";
import { writeProgram } from "./map.js";
import type { Exports } from "./modules.js";

/** The functions of the instance; `dispose` removes them, and so the last reference to its memory. */
export interface Host {
  exports: Exports;
}

/** Scratch of `map`: the program, and for each thread the addresses of tiles and of pairs. */
export interface MapSpace {
  program: Owned;
  slots: number[];
  singles: number[];
}

/** `scratch`: the address for the packed factors of gemm. `cell`: a 1×4 matrix for the coefficients or results of four terms. */
export function singleKernels(host: Host, scratch: number, cell: Owned, space: MapSpace): Kernels {
  return {
    gemm(m, n, k, a, A, tA, B, tB, b, C) {
      host.exports.gemm(m, n, k, a, A.at, tA ? m : k, tA ? 1 : 0, B.at, tB ? k : n, tB ? 1 : 0, b, C.at, n, scratch);
    },
    gram(n, p, A, b, S) {
      host.exports.gramUpper(0, p, n, p, A.at, b, S.at, scratch);
      host.exports.mirror(p, S.at);
    },
    dot: (size, X, Y) => host.exports.dot(size, X.at, Y.at),
    dots(size, count, Xs, Y, r) {
      for (let l = 0; l < count; l += 4) {
        const terms = Math.min(count - l, 4);
        const x0 = Xs[l]!.at;
        if (terms === 1) {
          r[l] = host.exports.dot(size, x0, Y.at);
          return;
        }
        const x1 = Xs[l + 1]!.at;
        if (terms === 2) host.exports.dots2(size, x0, x1, Y.at, cell.at);
        // for three terms the third is repeated
        else host.exports.dots4(size, x0, x1, Xs[l + 2]!.at, Xs[l + terms - 1]!.at, Y.at, cell.at);
        const results = cell.data;
        for (let i = 0; i < terms; i++) r[l + i] = results[i]!;
      }
    },
    combination(size, count, c, Xs, b, Z) {
      // four terms at a time; b·Z is one of them if b ≠ 0
      for (let l = 0, own = b; l < count; own = 1) {
        const terms = Math.min(count - l, own === 0 ? 4 : 3);
        const a = cell.data;
        for (let i = 0; i < terms; i++) a[i] = c[l + i]!;
        if (own !== 0 || terms === 1) a[terms] = own;
        const x0 = Xs[l]!.at;
        const x1 = terms > 1 ? Xs[l + 1]!.at : Z.at;
        const x2 = terms > 2 ? Xs[l + 2]!.at : Z.at;
        const x3 = terms > 3 ? Xs[l + 3]!.at : Z.at;
        const all = own === 0 ? terms : terms + 1;
        if (all === 4) host.exports.combine4(size, cell.at, x0, x1, x2, x3, Z.at);
        else if (all === 3) host.exports.combine3(size, cell.at, x0, x1, x2, Z.at);
        else if (terms === 2) host.exports.combine(size, a[0]!, x0, a[1]!, x1, Z.at);
        else host.exports.axpby(size, a[0]!, x0, a[1]!, Z.at);
        l += terms;
      }
    },
    copy: (size, X, Y) => host.exports.copy(size, X.at, Y.at),
    fill: (size, a, Y) => host.exports.fill(size, a, Y.at),
    axpby: (size, a, X, b, Y) => host.exports.axpby(size, a, X.at, b, Y.at),
    combine: (size, a, X, b, Y, Z) => host.exports.combine(size, a, X.at, b, Y.at, Z.at),
    map(size, chain, inputs, outputs) {
      writeProgram(space.program, chain, inputs, outputs);
      return host.exports.map(0, size, space.program.at, space.slots[0]!, space.singles[0]!);
    },
    symmetrize: (p, S) => host.exports.symmetrize(p, S.at),
    mirror: (p, S) => host.exports.mirror(p, S.at),
    addDiagonal: (p, a, S) => host.exports.addDiagonal(p, a, S.at),
    rowDots: (n, p, X, Y, r) => host.exports.rowDots(n, p, X.at, Y.at, r.at),
    scaleRows: (n, p, a, r, X, b, Y) => host.exports.scaleRows(n, p, a, r.at, X.at, b, Y.at),
    sparse: (n, p, a, { pointers, indices, values }, X, b, Y) =>
      host.exports.sparse(n, p, a, pointers.at, indices.at, values.at, X.at, b, Y.at),
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      host.exports.tridiagonal(0, n, n, p, a, lower.at, main.at, upper.at, X.at, b, Y.at),
    tridiagonalSolve: (n, p, lower, pivot, upper, X, Y) =>
      host.exports.tridiagonalSolve(n, p, p, lower.at, pivot.at, upper.at, X.at, Y.at),
  };
}
