/** The products of the `blas` engine, cut into the pieces that BLAS libraries multiply fastest. */

import type { Kernels } from "@expen/linalg/engine";
import { doubles } from "./lapack.js";
import type { BlasLibrary } from "./library.js";

const ROW_MAJOR = 101;
const NO_TRANSPOSE = 111;
const TRANSPOSE = 112;
const UPPER_TRIANGLE = 121;

/**
 * Up to this many multiplications m·n·k, crossing into native code (0.2 µs) costs more than it gains. With a transposed factor our own
 * kernels have less to rearrange, or the library more; of a symmetric product they compute one half.
 */
const SMALL = 1000;
const SMALL_TRANSPOSED = 2000;
const SMALL_GRAM = 5000;
/** One or two columns by so few rows of B take OpenBLAS as long as by 48 rows: four times as long as plain code. */
const FLAT = 8;

/** A large symmetric matrix is read by half, once for each of so many columns. */
const VECTORS = 2;

/**
 * Up to this many, OpenBLAS reads the factors where they lie, on processors with AVX-512. Beyond, and on others, it
 * packs them first, the one it takes for the second as a whole by way of main memory, which for a few columns takes
 * as long as the multiplications. A large product with few columns is therefore made of pieces: 1.3 times faster at
 * 1000×50, up to three times at 100000×10.
 */
const UNPACKED = 1e6;
const AVX512 = /SkylakeX|Cooperlake|SapphireRapids/i;
/** A piece would be too flat with more columns than these. */
const FEW = 100;
/**
 * Rows of S in a piece of S = AᵀA: narrow ones leave little below the diagonal, and are two thirds of the work of all of S. What p is
 * beyond a multiple of them goes into the first piece, so that the others are as wide as whole vectors; not where they are few.
 */
const STRIP = 8;
const MANY = 32;
/** Up to this many multiplications n·p², more calls would cost more than the half that they leave out. */
const WHOLE = 3e4;
/** Numbers of A that stay in cache meanwhile */
const CACHED = 2 ** 16;
/** Rows or columns of A in a piece where both are many */
const SIDE = 200;

/** With `alone`, one thread does it all and may take pieces; otherwise the threads of the library share the whole. */
export function products(
  { dgemm, dsyrk, dsymv, ddot, version }: BlasLibrary,
  own: Kernels,
  alone: boolean,
  useThreads: () => void,
): Pick<Kernels, "gemm" | "gram" | "dot"> {
  const inPieces = alone && AVX512.test(version);
  let [from, to] = [new Float64Array(0), new Float64Array(0)];

  /** Column j of C (m×n) ← a·A·(that of B) + b·C for a symmetric A, through vectors: libraries are slow where numbers lie apart */
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
      if (!inPieces || tB || n > FEW || m * n * k <= UNPACKED) {
        dgemm(ROW_MAJOR, opA, tB ? TRANSPOSE : NO_TRANSPOSE, m, n, k, a, x, A.cols, y, B.cols, b, c, n);
        return;
      }
      // pieces of r rows of C, and of s rows of B that add up
      const s = k <= SIDE ? k : Math.floor(UNPACKED / (n * Math.min(m, SIDE)));
      const r = Math.floor(UNPACKED / (n * Math.min(k, s)));
      const [height, width] = tA ? [s, r] : [r, s];
      const xs = pieces(x, A.rows, A.cols, height, width);
      const ys = pieces(y, k, n, s, n);
      const cs = pieces(c, m, n, r, n);
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
      if (inPieces && p <= 2 * FEW && n * p * p > WHOLE) {
        // strip by strip of S from its diagonal to its right end, as long as some rows of A are in cache
        const height = Math.ceil(CACHED / p);
        const first = p > MANY ? STRIP + (p % STRIP) : STRIP;
        const xs = pieces(x, n, p, height, STRIP, height, first);
        const cs = pieces(s, p, p, STRIP, STRIP, first, first);
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
      // which also has kernels for small products that dsyrk has not
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

/**
 * How a matrix was cut: `list` holds where each piece begins, row of pieces by row of pieces; the first ones may be
 * of another height and width.
 */
interface Cut {
  height: number;
  width: number;
  top: number;
  left: number;
  list: Float64Array[];
}

/** Views are made once for each matrix and kept as long as it. */
const cuts = new WeakMap<Float64Array, Cut[]>();

function pieces(
  x: Float64Array,
  rows: number,
  cols: number,
  height: number,
  width: number,
  top = height,
  left = width,
): Float64Array[] {
  let known = cuts.get(x);
  if (!known) {
    known = [];
    cuts.set(x, known);
  }
  for (let i = 0; i < known.length; i++) {
    const cut = known[i]!;
    if (cut.height === height && cut.width === width && cut.top === top && cut.left === left) return cut.list;
  }
  const list: Float64Array[] = [];
  for (let i = 0; i < rows; i += i === 0 ? top : height) {
    for (let j = 0; j < cols; j += j === 0 ? left : width) list.push(x.subarray(i * cols + j));
  }
  known.push({ height, width, top, left, list });
  return list;
}
