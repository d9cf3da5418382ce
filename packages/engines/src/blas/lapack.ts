/**
 * LAPACK on row-major matrices. LAPACK is column-major, so each of its arguments is the transpose of ours; a comment at each routine
 * has the consequence. The size of a workspace is queried once for each size of the arguments.
 */

import type { Matrix } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { transpose } from "@expen/linalg/arrays";
import type { Lapack } from "@expen/linalg/engine";
import type { BlasLibrary } from "./library.js";
import { lowestByLapack } from "./lowest.js";

/** Enumerators of CBLAS (cblas.h) */
const [ROW_MAJOR, NO_TRANSPOSE, UPPER_TRIANGLE, NON_UNIT, LEFT, RIGHT] = [101, 111, 121, 131, 141, 142];

/** The numbers of M, after a check that they are rows × cols doubles, which native code does not make. */
export function doubles(M: Matrix, rows: number, cols: number, op: string): Float64Array {
  const { data } = M;
  if (!(data instanceof Float64Array) || data.length !== rows * cols || M.rows !== rows || M.cols !== cols) {
    const kind = (data as object | undefined)?.constructor?.name ?? typeof data;
    const has = `${M.rows}×${M.cols} with ${kind}[${(data as Float64Array | undefined)?.length}]`;
    throw new EngineError(`${op}: a matrix is ${has}; it must be ${rows}×${cols} with a living Float64Array.`);
  }
  return data;
}

export function blasLapack(
  library: BlasLibrary & Required<Pick<BlasLibrary, "lapack">>,
  setThreads: (count: number) => void,
  threads: number,
): Lapack {
  const { dsyevd, dgesdd, dpotrf, dsygst, dgesv } = library.lapack;
  const lowest = lowestByLapack(library.lapack);
  const letter = (c: string): Uint8Array => Uint8Array.of(c.charCodeAt(0));
  const [V, N, L, S] = ["V", "N", "L", "S"].map(letter);
  const integer = (): Int32Array<ArrayBuffer> => new Int32Array(1);
  const [m, n, lwork, liwork, info] = [integer(), integer(), integer(), integer(), integer()];
  let work = new Float64Array(1);
  let integers = new Int32Array(1);
  let scratch = new Float64Array(1);
  /** optimal lwork by routine and sizes */
  const workLengths = new Map<string, number>();

  /** Makes `work` and `integers` long enough. */
  function provide(length: number, integerLength: number): void {
    if (integers.length < integerLength) integers = new Int32Array(integerLength);
    if (work.length < length) work = new Float64Array(length);
    lwork[0] = work.length;
    liwork[0] = integers.length;
  }

  /** Calls with the optimal length of `work`, after a query of it if `key` is new; returns `info`. */
  function withWork(key: string, integerLength: number, call: () => void): number {
    if (!workLengths.has(key)) {
      // a workspace query
      lwork[0] = -1;
      liwork[0] = -1;
      call();
      workLengths.set(key, Math.max(1, Math.ceil(work[0]!)));
    }
    provide(workLengths.get(key)!, integerLength);
    call();
    return info[0]!;
  }

  return {
    // A = Aᵀ; the eigenvectors in LAPACK's columns are our rows
    syevd(A, w, vectors) {
      const p = A.rows;
      const a = doubles(A, p, p, "syevd");
      const values = doubles(w, p, 1, "syevd");
      if (p === 0) return 0;
      setThreads(1);
      n[0] = p;
      const job = vectors ? V : N;
      const call = () => dsyevd(job, L, n, a, n, values, work, lwork, integers, liwork, info, 1, 1);
      return withWork(`syevd ${vectors} ${p}`, 3 + 5 * p, call);
    },

    lowest(A, w, Z) {
      const [p, k] = [A.rows, Z.rows];
      const [a, z] = [doubles(A, p, p, "lowest"), doubles(Z, k, p, "lowest")];
      const values = doubles(w, p, 1, "lowest");
      if (k === 0) return 0;
      setThreads(1);
      return lowest(a, p, values, z, k);
    },

    // LAPACK factorizes Aᵀ = V·Diag(s)·Uᵀ: its U is our Vᵀ, its Vᵀ our U
    gesdd(A, U, s, Vt) {
      const { rows, cols } = A;
      if (rows < cols)
        throw new EngineError(`gesdd: A is ${rows}×${cols}; at least as many rows as columns are needed.`);
      const [a, u] = [doubles(A, rows, cols, "gesdd"), doubles(U, rows, cols, "gesdd")];
      const [values, v] = [doubles(s, cols, 1, "gesdd"), doubles(Vt, cols, cols, "gesdd")];
      if (cols === 0) return 0;
      setThreads(1);
      m[0] = cols;
      n[0] = rows;
      const call = () => dgesdd(S, m, n, a, m, values, v, m, u, m, work, lwork, integers, info, 1);
      return withWork(`gesdd ${rows} ${cols}`, 8 * cols, call);
    },

    // LAPACK's lower triangle L is our upper one: S = L·Lᵀ with R = Lᵀ
    potrf(A) {
      const p = A.rows;
      const a = doubles(A, p, p, "potrf");
      if (p === 0) return 0;
      setThreads(1);
      n[0] = p;
      dpotrf(L, n, a, n, info, 1);
      for (let i = 1; i < p; i++) a.fill(0, i * p, i * p + i);
      return info[0]!;
    },

    // our upper triangles are LAPACK's lower ones, and R⁻ᵀAR⁻¹ = L⁻¹AL⁻ᵀ
    sygst(A, R) {
      const p = A.rows;
      const [a, r] = [doubles(A, p, p, "sygst"), doubles(R, p, p, "sygst")];
      if (p === 0) return 0;
      setThreads(1);
      n[0] = p;
      dsygst(Int32Array.of(1), L, n, a, n, r, n, info, 1);
      mirrorUpper(a, p);
      return info[0]!;
    },

    // A is transposed in place, B in a scratch copy
    gesv(A, B) {
      const [p, q] = [A.rows, B.cols];
      const [a, b] = [doubles(A, p, p, "gesv"), doubles(B, p, q, "gesv")];
      if (p === 0 || q === 0) return 0;
      setThreads(1);
      if (scratch.length < p * q) scratch = new Float64Array(p * q);
      if (integers.length < p) integers = new Int32Array(p);
      for (let i = 0; i < p; i++) {
        for (let j = 0; j < i; j++) {
          const t = a[i * p + j]!;
          a[i * p + j] = a[j * p + i]!;
          a[j * p + i] = t;
        }
      }
      transpose(scratch, b, p, q);
      n[0] = p;
      m[0] = q;
      dgesv(n, m, a, n, integers, scratch, n, info);
      transpose(b, scratch, q, p);
      return info[0]!;
    },

    trsm: (Y, R) => solveTriangular(RIGHT, Y, R, Y.cols),
    trsmLeft: (X, R) => solveTriangular(LEFT, X, R, X.rows),
  };

  /** Y ← Y·R⁻¹ for side = RIGHT, R⁻¹·Y for side = LEFT; R is size×size */
  function solveTriangular(side: number, Y: Matrix, R: Matrix, size: number): void {
    const { rows, cols } = Y;
    const [y, r] = [doubles(Y, rows, cols, "trsm"), doubles(R, size, size, "trsm")];
    if (rows === 0 || cols === 0) return;
    setThreads(threads);
    library.dtrsm(ROW_MAJOR, side, UPPER_TRIANGLE, NO_TRANSPOSE, NON_UNIT, rows, cols, 1, r, size, y, cols);
  }
}

/** Rows and columns of a tile: 2 tiles of 8 kB fit in the L1 cache. */
const TILE = 32;

/** a_ij ← a_ji for j < i */
function mirrorUpper(a: Float64Array, p: number): void {
  for (let top = 0; top < p; top += TILE) {
    for (let left = 0; left <= top; left += TILE) {
      for (let i = top; i < Math.min(top + TILE, p); i++) {
        for (let j = left; j < Math.min(left + TILE, i); j++) a[i * p + j] = a[j * p + i]!;
      }
    }
  }
}
