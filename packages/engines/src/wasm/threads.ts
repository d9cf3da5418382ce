/** Large operations in parts for the threads; small ones with the kernels of one thread. */
import type { Kernels, Owned } from "@expen/linalg/engine";
import type { Crew } from "./crew.js";
import type { Host, MapSpace } from "./kernels.js";
import { writeProgram } from "./map.js";

/** Flops (about 0.1 ms) below which a product takes one thread, as waking the others takes about 20 µs. */
const FLOPS = 2 ** 21;
/** Numbers below which an operation that is bound by memory takes one thread. */
const NUMBERS = 2 ** 17;
/** Numbers below which a chain takes one thread; less, as a chain computes more for each number. */
const MAPPED = 2 ** 15;
/** Numbers in a cache line: threads do not write to the same line. */
const LINE = 8;

/** The address of number i. */
const at = (A: Owned, i: number): number => A.at + 8 * i;

export function threadedKernels(
  host: Host,
  single: Kernels,
  crew: Crew,
  scratch: number[],
  { program, slots, singles }: MapSpace,
): Kernels {
  return {
    ...single,

    gemm(m, n, k, a, A, tA, B, tB, b, C) {
      if (2 * m * n * k < FLOPS || m < 2 * LINE) return single.gemm(m, n, k, a, A, tA, B, tB, b, C);
      const lda = tA ? m : k;
      crew.share("gemm", m, 4, (i, end, t) => {
        const Ai = at(A, tA ? i : i * lda);
        return [end - i, n, k, a, Ai, lda, tA ? 1 : 0, B.at, tB ? k : n, tB ? 1 : 0, b, at(C, i * n), n, scratch[t]!];
      });
    },

    // the first i rows of the upper triangle are the fraction 1 − (1 − i/p)² of it
    gram(n, p, A, b, S) {
      if (n * p * p < FLOPS || p < 2 * LINE) return single.gram(n, p, A, b, S);
      const cut = (share: number): number => p * (1 - Math.sqrt(1 - share));
      crew.share("gramUpper", p, 4, (i, end, t) => [i, end, n, p, A.at, b, S.at, scratch[t]!], cut);
      host.exports.mirror(p, S.at);
    },

    dot(size, X, Y) {
      if (size < NUMBERS) return single.dot(size, X, Y);
      return crew.share("dot", size, LINE, (i, end) => [end - i, at(X, i), at(Y, i)]);
    },
    copy(size, X, Y) {
      if (size < NUMBERS) return single.copy(size, X, Y);
      crew.share("copy", size, LINE, (i, end) => [end - i, at(X, i), at(Y, i)]);
    },
    fill(size, a, Y) {
      if (size < NUMBERS) return single.fill(size, a, Y);
      crew.share("fill", size, LINE, (i, end) => [end - i, a, at(Y, i)]);
    },
    axpby(size, a, X, b, Y) {
      if (size < NUMBERS) return single.axpby(size, a, X, b, Y);
      crew.share("axpby", size, LINE, (i, end) => [end - i, a, at(X, i), b, at(Y, i)]);
    },
    combine(size, a, X, b, Y, Z) {
      if (size < NUMBERS) return single.combine(size, a, X, b, Y, Z);
      crew.share("combine", size, LINE, (i, end) => [end - i, a, at(X, i), b, at(Y, i), at(Z, i)]);
    },
    map(size, chain, inputs, outputs) {
      if (size < MAPPED) return single.map(size, chain, inputs, outputs);
      writeProgram(program, chain, inputs, outputs);
      return crew.share("map", size, LINE, (i, end, t) => [i, end, program.at, slots[t]!, singles[t]!]);
    },

    rowDots(n, p, X, Y, r) {
      if (n * p < NUMBERS) return single.rowDots(n, p, X, Y, r);
      crew.share("rowDots", n, LINE, (i, end) => [end - i, p, at(X, i * p), at(Y, i * p), at(r, i)]);
    },
    scaleRows(n, p, a, r, X, b, Y) {
      if (n * p < NUMBERS) return single.scaleRows(n, p, a, r, X, b, Y);
      crew.share("scaleRows", n, 1, (i, end) => [end - i, p, a, at(r, i), at(X, i * p), b, at(Y, i * p)]);
    },
    tridiagonal(n, p, a, lower, main, upper, X, b, Y) {
      if (n * p < NUMBERS) return single.tridiagonal(n, p, a, lower, main, upper, X, b, Y);
      const matrices = [lower.at, main.at, upper.at, X.at, b, Y.at];
      crew.share("tridiagonal", n, 1, (i, end) => [i, end, n, p, a, ...matrices]);
    },
    // columns are independent, rows are not
    tridiagonalSolve(n, p, lower, pivot, upper, X, Y) {
      if (n * p < NUMBERS || p < 2 * LINE) return single.tridiagonalSolve(n, p, lower, pivot, upper, X, Y);
      const factors = [lower.at, pivot.at, upper.at];
      crew.share("tridiagonalSolve", p, LINE, (j, end) => [n, p, end - j, ...factors, at(X, j), at(Y, j)]);
    },
  };
}
