/** The products of the `blas` engine, in blocks of the sizes that BLAS libraries multiply fastest. */

import type { Kernels } from "@expen/linalg/engine";
import { doubles } from "./lapack.js";
import type { BlasLibrary } from "./library.js";

/** Enumerators of CBLAS (cblas.h) */
const [ROW_MAJOR, NO_TRANSPOSE, TRANSPOSE, UPPER_TRIANGLE] = [101, 111, 112, 121];

/** Multiplications m·n·k up to which the kernels of WebAssembly are faster, as a native call takes 0.2 µs. */
const SMALL = 1000;
/** The same with a transposed factor, which our kernels pack faster than the library */
const SMALL_TRANSPOSED = 2000;
/** The same for AᵀA (n·p²), of which our kernels compute one half */
const SMALL_GRAM = 5000;
/** Rows of B up to which one or two columns take our kernels a quarter of OpenBLAS's time, which is the same up to 48 rows. */
const FLAT = 8;

/** Columns up to which a product with a symmetric A is made by dsymv, which reads one half of A for each column. */
const VECTORS = 2;

/**
 * Multiplications up to which OpenBLAS with AVX-512 does not pack the factors. Beyond, and on other processors, it packs its second factor
 * as a whole through main memory, which for few columns takes as long as the multiplications. Blocks of this size are 1.3 times as fast at
 * 1000×50, and up to three times at 100000×10.
 */
const UNPACKED = 1e6;
/** Names of OpenBLAS's kernels with AVX-512 */
const AVX512 = /SkylakeX|Cooperlake|SapphireRapids/i;
/** Columns up to which blocks have enough rows to be faster than the whole product. */
const FEW = 100;
/**
 * Rows of a strip of S = AᵀA, which begins at its diagonal block: strips this narrow compute little below the diagonal and need two thirds
 * of the multiplications of all of S.
 */
const STRIP = 8;
/** Columns from which the first strip takes the remainder of p modulo STRIP as well, so that the others are whole vectors wide. */
const MANY = 32;
/** Multiplications n·p² up to which one call for all of S is faster than strips. */
const WHOLE = 3e4;
/** Numbers of a block of rows of A: 512 kB, which stay in the L2 cache while the strips are computed. */
const CACHED = 2 ** 16;
/** Rows or columns of a block of A where A has many of both. */
const SIDE = 200;

/** With one thread (`alone`) products are made in blocks; otherwise the threads of the library share the whole product. */
export function products(
  { dgemm, dsyrk, dsymv, ddot, version }: BlasLibrary,
  own: Kernels,
  alone: boolean,
  useThreads: () => void,
): Pick<Kernels, "gemm" | "gram" | "dot"> {
  const inBlocks = alone && AVX512.test(version);
  let [from, to] = [new Float64Array(0), new Float64Array(0)];

  /** c_j ← a·A·b_j + b·c_j for columns of B and C (m×n) and a symmetric A; contiguous copies, as libraries are slow with strides. */
  function symmetricColumn(
    m: number,
    a: number,
    A: Float64Array,
    B: Float64Array,
    n: number,
    j: number,
    b: number,
    C: Float64Array,
  ): void {
    if (from.length !== m) [from, to] = [new Float64Array(m), new Float64Array(m)];
    for (let i = 0; i < m; i++) from[i] = B[i * n + j]!;
    dsymv(ROW_MAJOR, UPPER_TRIANGLE, m, a, A, m, from, 1, 0, to, 1);
    for (let i = 0; i < m; i++) C[i * n + j] = b === 0 ? to[i]! : to[i]! + b * C[i * n + j]!;
  }

  return {
    gemm(m, n, k, a, A, tA, B, tB, b, C) {
      const small = tA || tB ? SMALL_TRANSPOSED : SMALL;
      if ((m * n * k <= small || (n <= 2 && k <= FLAT && !tA && !tB)) && A.at && B.at && C.at) {
        own.gemm(m, n, k, a, A, tA, B, tB, b, C);
        return;
      }
      const x = tA ? doubles(A, k, m, "gemm") : doubles(A, m, k, "gemm");
      const y = tB ? doubles(B, n, k, "gemm") : doubles(B, k, n, "gemm");
      const c = doubles(C, m, n, "gemm");
      const opA = tA ? TRANSPOSE : NO_TRANSPOSE;
      useThreads();
      if (A.symmetric && n <= VECTORS && !tB) {
        for (let j = 0; j < n; j++) symmetricColumn(m, a, x, y, n, j, b, c);
        return;
      }
      if (!inBlocks || tB || n > FEW || m * n * k <= UNPACKED) {
        dgemm(ROW_MAJOR, opA, tB ? TRANSPOSE : NO_TRANSPOSE, m, n, k, a, x, A.cols, y, B.cols, b, c, n);
        return;
      }
      // blocks of r rows of C; each is a sum of products with s rows of B
      const s = k <= SIDE ? k : Math.floor(UNPACKED / (n * Math.min(m, SIDE)));
      const r = Math.floor(UNPACKED / (n * Math.min(k, s)));
      const [height, width] = tA ? [s, r] : [r, s];
      const xs = blocksOf(x, A.rows, A.cols, height, width);
      const ys = blocksOf(y, k, n, s, n);
      const cs = blocksOf(c, m, n, r, n);
      const across = Math.ceil(A.cols / width);
      for (let i = 0, row = 0; row < m; i++, row += r) {
        for (let l = 0, from = 0; from < k; l++, from += s) {
          dgemm(
            ROW_MAJOR, opA, NO_TRANSPOSE, Math.min(r, m - row), n, Math.min(s, k - from),
            a, xs[tA ? l * across + i : i * across + l]!, A.cols, ys[l]!, n, from === 0 ? b : 1, cs[i]!, n,
          ); // biome-ignore format: the order of dgemm's arguments
        }
      }
    },

    gram(n, p, A, b, S) {
      if (n * p * p <= SMALL_GRAM && A.at && S.at) {
        own.gram(n, p, A, b, S);
        return;
      }
      const [x, s] = [doubles(A, n, p, "gram"), doubles(S, p, p, "gram")];
      useThreads();
      if (inBlocks && p <= 2 * FEW && n * p * p > WHOLE) {
        // each block of rows of A contributes to all strips of S while it is in cache
        const height = Math.ceil(CACHED / p);
        const first = p > MANY ? STRIP + (p % STRIP) : STRIP;
        const xs = blocksOf(x, n, p, height, STRIP, height, first);
        const cs = blocksOf(s, p, p, STRIP, STRIP, first, first);
        const across = 1 + Math.max(0, Math.ceil((p - first) / STRIP));
        for (let i = 0, row = 0; row < n; i++, row += height) {
          for (let j = 0; j < across; j++) {
            const from = j === 0 ? 0 : first + (j - 1) * STRIP;
            const to = Math.min(first + j * STRIP, p);
            dgemm(
              ROW_MAJOR, TRANSPOSE, NO_TRANSPOSE, to - from, p - from, Math.min(height, n - row),
              1, xs[i * across + j]!, p, xs[i * across + j]!, p, row === 0 ? b : 1, cs[j * across + j]!, p,
            ); // biome-ignore format: the order of dgemm's arguments
          }
        }
      } else if (n * p * p > UNPACKED) dsyrk(ROW_MAJOR, UPPER_TRIANGLE, TRANSPOSE, p, n, 1, x, p, b, s, p);
      // dgemm has kernels for small products, dsyrk has none
      else dgemm(ROW_MAJOR, TRANSPOSE, NO_TRANSPOSE, p, p, n, 1, x, p, x, p, b, s, p);
      own.mirror(p, S);
    },

    dot(size, X, Y) {
      if (X.at && Y.at) return own.dot(size, X, Y);
      const [x, y] = [doubles(X, X.rows, X.cols, "dot"), doubles(Y, X.rows, X.cols, "dot")];
      useThreads();
      return ddot(size, x, 1, y, 1) as number;
    },
  };
}

/** A partition of a matrix: `views` begin at the blocks, row by row; the first blocks have the height `top` and the width `left`. */
interface Partition {
  height: number;
  width: number;
  top: number;
  left: number;
  views: Float64Array[];
}

/** The partitions of each matrix: to make the views takes as long as a small product. */
const partitions = new WeakMap<Float64Array, Partition[]>();

function blocksOf(
  x: Float64Array,
  rows: number,
  cols: number,
  height: number,
  width: number,
  top = height,
  left = width,
): Float64Array[] {
  let all = partitions.get(x);
  if (!all) {
    all = [];
    partitions.set(x, all);
  }
  for (let i = 0; i < all.length; i++) {
    const one = all[i]!;
    if (one.height === height && one.width === width && one.top === top && one.left === left) return one.views;
  }
  const views: Float64Array[] = [];
  for (let i = 0; i < rows; i += i === 0 ? top : height) {
    for (let j = 0; j < cols; j += j === 0 ? left : width) views.push(x.subarray(i * cols + j));
  }
  all.push({ height, width, top, left, views });
  return views;
}
