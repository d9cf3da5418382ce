/** The factorizations of host engines: LAPACK if available, otherwise the algorithms of arrays/. */
import { choleskyInPlace } from "../arrays/cholesky.js";
import { qlSolver, type ScaledEigenSolver } from "../arrays/implicit-ql.js";
import { type Elimination, solveInPlace } from "../arrays/lu.js";
import { maxAbs, unitScale } from "../arrays/scale.js";
import { jacobiSvd, type ThinSvd } from "../arrays/svd.js";
import { symmetricPart } from "../arrays/symmetric.js";
import { transpose } from "../arrays/transpose.js";
import { divideRows } from "../arrays/triangular.js";
import type { Factorizations } from "../contracts/engine.js";
import type { Matrix, Small } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { requireShape, requireSquare } from "../shape.js";
import { blockedCholesky, type Products } from "./blocked-cholesky.js";
import type { Lapack } from "./lapack.js";

/** Sizes for which scratch is cached at a time */
const SIZES = 8;
/** Rows from which Cholesky factorization without LAPACK is blocked, with products of the engine */
const BLOCKED = 128;
/** Columns up to which plain code factors faster than a call of LAPACK takes to start */
const FEW_COLUMNS = 8;
/** Multiplications of a division up to which plain code is faster than a call of LAPACK */
const FEW_PRODUCTS = 400;

function bySize<T>(make: (m: number, n: number) => T): (m: number, n: number) => T {
  const cache = new Map<number, T>();
  return (m, n) => {
    const key = m * 2 ** 26 + n;
    let entry = cache.get(key);
    if (entry === undefined) {
      if (cache.size === SIZES) cache.delete(cache.keys().next().value!);
      cache.set(key, (entry = make(m, n)));
    }
    return entry;
  };
}

/** The entries of a matrix after a check that it belongs to the engine */
type Numbers = (M: Matrix, op: string, letter: string) => Float64Array;

/** `numbers` takes matrices of either kind, `small` only small ones. */
export function factorizations(numbers: Numbers, small: Numbers, products: Products, lapack?: Lapack): Factorizations {
  const lapackEigen = lapack && bySize((p) => eigenByLapack(lapack, p));
  const ownEigen = bySize(qlSolver);
  const eigen = (p: number) => (lapackEigen && p > FEW_COLUMNS ? lapackEigen(p, p) : ownEigen(p, p));
  const thin = bySize((m, n) => ({
    A: new Float64Array(m * n),
    U: new Float64Array(m * n),
    V: new Float64Array(n * n),
    svd: lapack ? lapackSvd(lapack, m, n) : jacobiSvd(m, n),
  }));
  const system = bySize((p) => ({ LU: new Float64Array(p * p), columnMax: new Float64Array(p) }));
  /** scratch of the last call of `lowest`: first-touch page faults cost more than its reuse */
  let square = plain(0, 0);
  const eliminate = lapack && lapackElimination(lapack);

  return {
    ...(lapack && { library: "LAPACK" }),

    cholesky(R, S) {
      const [r, s] = [small(R, "cholesky", "R"), small(S, "cholesky", "S")];
      const p = requireSquare(S, "cholesky");
      requireShape(R, p, p, "cholesky", "R");
      r.set(s);
      if (p <= FEW_COLUMNS) return choleskyInPlace(r, p);
      if (!lapack) return p > BLOCKED ? blockedCholesky(products, R) : choleskyInPlace(r, p);
      if (lapack.potrf(R) !== 0) return false;
      // optimised dpotrf let NaN and infinity pass
      for (let i = 0; i < p * p; i += p + 1) if (!(r[i]! > 0 && r[i]! < Number.POSITIVE_INFINITY)) return false;
      return true;
    },

    divide(Y, R) {
      const [y, r] = [numbers(Y, "divide", "Y"), small(R, "divide", "R")];
      requireShape(R, Y.cols, Y.cols, "divide", "R");
      if (lapack && Y.rows * Y.cols * Y.cols > FEW_PRODUCTS && Y.cols > 2) lapack.trsm(Y, R);
      else divideRows(y, Y.rows, r, Y.cols);
    },

    eigh(V, w, S) {
      const [v, s] = [small(V, "eigh", "V"), small(S, "eigh", "S")];
      const p = requireSquare(S, "eigh");
      requireShape(V, p, p, "eigh", "V");
      requireLength(w, p, "eigh", "w");
      // scaled by a power of two, which is exact: no square overflows or underflows
      const c = unitScale(maxAbs(s, p, "eigh"));
      if (p === 0) return;
      eigen(p)(v, w, s, c);
      for (let j = 0; j < p; j++) w[j]! /= c;
    },

    ...(lapackEigen && {
      eigenvalues(w: Float64Array, S: Small): void {
        const s = small(S, "eigenvalues", "S");
        const p = requireSquare(S, "eigenvalues");
        requireLength(w, p, "eigenvalues", "w");
        const c = unitScale(maxAbs(s, p, "eigenvalues"));
        if (p === 0) return;
        lapackEigen(p, p)(undefined, w, s, c);
        for (let j = 0; j < p; j++) w[j]! /= c;
      },
    }),

    ...(lapack && {
      reduce(A: Small, R: Small): void {
        small(A, "reduce", "A");
        small(R, "reduce", "R");
        const p = requireSquare(A, "reduce");
        requireShape(R, p, p, "reduce", "R");
        const info = lapack.sygst(A, R);
        if (info !== 0)
          throw new EngineError(`reduce: LAPACK's dsygst failed with info = ${info} on a ${p}×${p} matrix.`);
      },

      divideLeft(X: Small, R: Small): void {
        small(X, "divideLeft", "X");
        small(R, "divideLeft", "R");
        requireShape(R, X.rows, X.rows, "divideLeft", "R");
        lapack.trsmLeft(X, R);
      },

      lowest(V: Small, w: Float64Array, s: Float64Array): boolean {
        const v = small(V, "lowest", "V");
        const [p, k] = [V.rows, V.cols];
        requireShape(V, p, Math.min(k, p), "lowest", "V");
        requireLength(w, k, "lowest", "w");
        requireLength(s, p * p, "lowest", "S");
        if (square.rows !== p) square = plain(p, p);
        const [Z, values] = [plain(k, p), plain(p, 1)];
        square.data.set(s);
        if (lapack.lowest(square, values, Z) !== 0) return false;
        transpose(v, Z.data, k, p);
        w.set(values.data.subarray(0, k));
        return true;
      },
    }),

    svd(U, s, V, A) {
      const [u, v, a] = [small(U, "svd", "U"), small(V, "svd", "V"), small(A, "svd", "A")];
      const { rows, cols } = A;
      const k = Math.min(rows, cols);
      requireShape(U, rows, k, "svd", "U");
      requireShape(V, cols, k, "svd", "V");
      requireLength(s, k, "svd", "s");
      const c = unitScale(maxAbs(a, cols, "svd"));
      if (k === 0) return;
      const wide = rows < cols;
      const scratch = thin(Math.max(rows, cols), k);
      const W = scratch.A;
      if (wide) transpose(W, a, rows, cols);
      else W.set(a);
      for (let i = 0; i < W.length; i++) W[i]! *= c;
      scratch.svd(scratch.U, s, scratch.V, W);
      (wide ? v : u).set(scratch.U);
      (wide ? u : v).set(scratch.V);
      for (let j = 0; j < k; j++) s[j]! /= c;
    },

    solve(X, A, B) {
      const [x, a, b] = [small(X, "solve", "X"), small(A, "solve", "A"), small(B, "solve", "B")];
      const p = requireSquare(A, "solve");
      requireShape(B, p, B.cols, "solve", "B");
      requireShape(X, p, B.cols, "solve", "X");
      maxAbs(a, p, "solve");
      maxAbs(b, B.cols, "solve");
      const { LU, columnMax } = system(p, p);
      LU.set(a);
      if (x !== b) x.set(b);
      solveInPlace(LU, x, p, B.cols, columnMax, B.cols > 0 ? eliminate : undefined);
    },
  };
}

function requireLength(w: Float64Array, length: number, op: string, letter: string): void {
  if (!(w instanceof Float64Array) || w.length < length) {
    throw new EngineError(`${op}: ${letter} has room for ${w?.length} numbers but ${length} are needed.`);
  }
}

const plain = (rows: number, cols: number): Matrix => ({ rows, cols, data: new Float64Array(rows * cols) });

function eigenByLapack({ syevd }: Lapack, p: number): ScaledEigenSolver<Float64Array | undefined> {
  const A = { rows: p, cols: p, data: new Float64Array(p * p) };
  const values = { rows: p, cols: 1, data: new Float64Array(p) };
  return (v, w, s, c) => {
    const a = A.data;
    symmetricPart(a, s, p, c);
    const info = syevd(A, values, v !== undefined);
    if (info !== 0) throw new EngineError(`eigh: LAPACK's dsyevd failed with info = ${info} on a ${p}×${p} matrix.`);
    if (v) transpose(v, a, p, p);
    w.set(values.data);
  };
}

function lapackSvd({ gesdd }: Lapack, m: number, n: number): ThinSvd {
  const values = { rows: n, cols: 1, data: new Float64Array(n) };
  const Vt = { rows: n, cols: n, data: new Float64Array(n * n) };
  return (u, s, v, a) => {
    const info = gesdd({ rows: m, cols: n, data: a }, { rows: m, cols: n, data: u }, values, Vt);
    if (info !== 0) throw new EngineError(`svd: LAPACK's dgesdd failed with info = ${info} on a ${m}×${n} matrix.`);
    transpose(v, Vt.data, n, n);
    s.set(values.data);
  };
}

/** A singular A is detected by its pivots afterwards. */
const lapackElimination =
  ({ gesv }: Lapack): Elimination =>
  (a, x, p, q) => {
    gesv({ rows: p, cols: p, data: a }, { rows: p, cols: q, data: x });
  };
