/**
 * Factorizations of small matrices: by cuSOLVER on the device, and in host memory where a matrix is so small that the way there and back
 * takes less time than cuSOLVER's many short kernels. cuSOLVER reads columns first, so it sees every matrix transposed.
 */

import type { Factorizations, Matrix } from "@expen/linalg";
import { EngineError, requireShape, requireSquare } from "@expen/linalg";
import { type Elimination, maxAbs, solveInPlace, transpose, unitScale } from "@expen/linalg/arrays";
import type { checks, Kernels, Owned } from "@expen/linalg/engine";
import { jsEngine } from "@expen/linalg/engine";
import type { Device } from "./device.js";
import { COLUMNS, type FunctionName } from "./functions.js";
import { address, type Launcher } from "./launcher.js";
import type { Block, DeviceMemory } from "./memory.js";

export interface FactorTools {
  readonly device: Device;
  readonly memory: DeviceMemory;
  readonly kernels: Kernels;
  readonly launch: Launcher;
  /** Eigenvectors, singular values and systems up to this size are computed in host memory. */
  readonly onHost: number;
  readonly checks: () => ReturnType<typeof checks>;
}

const S = "S".charCodeAt(0);

export function deviceFactor({ device, memory, kernels, launch, onHost, checks }: FactorTools): Factorizations {
  const { cublas } = device;
  const J = jsEngine();
  const one = Float64Array.of(1);
  const length = new Int32Array(1);
  const blocks = new Map<string, { block: Block; bytes: number }>();
  const own = (M: Matrix, op: string, letter: string): Owned => checks().own(M, op, letter);
  const small = (M: Matrix, op: string, letter: string): Owned => checks().ownSmall(M, op, letter);

  /** Scratch of the device, made longer when it must be */
  function scratch(name: string, bytes: number): Block {
    let cached = blocks.get(name);
    if (!cached || cached.bytes < bytes) {
      cached = { block: memory.block(bytes, `factor: no memory for ${bytes} bytes of scratch`), bytes };
      blocks.set(name, cached);
    }
    return cached.block;
  }

  /** The workspace that a routine asks for, and its length */
  function workspace(name: FunctionName, ...args: unknown[]): readonly [number, number] {
    device.call(name, device.cusolver, ...args, length);
    return [scratch("work", 8 * Math.max(1, length[0]!)).at, length[0]!];
  }

  const info = (): Block => scratch("info", 4);

  function requireDone(op: string, routine: string, rows: number, cols: number): void {
    device.download(length, info().at);
    if (length[0] === 0) return;
    throw new EngineError(
      `${op}: cuSOLVER's ${routine} failed with info = ${length[0]} on a ${rows}×${cols} matrix; use another engine.`,
    );
  }

  function read(A: Owned): Float64Array {
    const numbers = new Float64Array(A.rows * A.cols);
    memory.read(A, numbers);
    return numbers;
  }

  function upload(name: string, numbers: Float64Array): Block {
    const block = scratch(name, numbers.byteLength);
    device.upload(block.at, numbers);
    return block;
  }

  /** a and x as solveInPlace has them, row after row */
  const eliminate: Elimination = (a, x, p, q) => {
    const [columns, sides] = [new Float64Array(p * p), new Float64Array(p * q)];
    transpose(columns, a, p, p);
    transpose(sides, x, p, q);
    const [A, B] = [upload("A", columns), upload("B", sides)];
    const [work] = workspace("cusolverDnDgetrf_bufferSize", p, p, A.at, p);
    const pivots = scratch("pivots", 4 * p);
    device.call("cusolverDnDgetrf", device.cusolver, p, p, A.at, p, work, pivots.at, info().at);
    device.call("cusolverDnDgetrs", device.cusolver, COLUMNS.plain, p, q, A.at, p, pivots.at, B.at, p, info().at);
    device.download(columns, A.at);
    device.download(sides, B.at);
    transpose(a, columns, p, p);
    transpose(x, sides, q, p);
  };

  /** A = U·Diag(s)·Vᵀ for A of m×n, m ≥ n, given by columns; U and Vᵀ come by columns too */
  function svdByColumns(
    m: number,
    n: number,
    a: Float64Array,
    u: Float64Array,
    s: Float64Array,
    vt: Float64Array,
  ): void {
    const A = upload("A", a);
    const [U, W, V] = [scratch("U", u.byteLength), scratch("s", 8 * n), scratch("V", vt.byteLength)];
    const [work, count] = workspace("cusolverDnDgesvd_bufferSize", m, n);
    const places = [A.at, m, W.at, U.at, m, V.at, n];
    device.call("cusolverDnDgesvd", device.cusolver, S, S, m, n, ...places, work, count, 0, info().at);
    requireDone("svd", "dgesvd", m, n);
    device.download(u, U.at);
    device.download(s.subarray(0, n), W.at);
    device.download(vt, V.at);
  }

  return {
    library: "cuSOLVER",

    // the lower triangle there is the upper one here: S = L·Lᵀ with R = Lᵀ
    cholesky(R, S) {
      const [r, s] = [small(R, "cholesky", "R"), small(S, "cholesky", "S")];
      const p = requireSquare(S, "cholesky");
      requireShape(R, p, p, "cholesky", "R");
      if (p === 0) return true;
      if (r !== s) kernels.copy(p * p, s, r);
      const [work, count] = workspace("cusolverDnDpotrf_bufferSize", COLUMNS.lower, p, r.at, p);
      device.call("cusolverDnDpotrf", device.cusolver, COLUMNS.lower, p, r.at, p, work, count, info().at);
      const d = scratch("diagonal", 8 * (p + 1));
      launch.rows("upperPart", p, p, [BigInt(p), address(r)]);
      launch.rows("diagonal", p, 1, [BigInt(p), address(r), address(info()), address(d)]);
      const diagonal = new Float64Array(p + 1);
      device.download(diagonal, d.at);
      // NaN and infinity pass
      return diagonal[p] === 0 && diagonal.subarray(0, p).every((x) => x > 0 && x < Number.POSITIVE_INFINITY);
    },

    // Rᵀ·Yᵀ(new) = Yᵀ, Rᵀ lower triangular there
    divide(Y, R) {
      const [y, r] = [own(Y, "divide", "Y"), small(R, "divide", "R")];
      const { rows, cols } = Y;
      requireShape(R, cols, cols, "divide", "R");
      if (rows * cols === 0) return;
      const how = [COLUMNS.left, COLUMNS.lower, COLUMNS.plain, COLUMNS.nonUnit];
      device.call("cublasDtrsm_v2", cublas, ...how, cols, rows, one, r.at, cols, y.at, cols);
    },

    eigh(V, w, S) {
      const [v, s] = [small(V, "eigh", "V"), small(S, "eigh", "S")];
      const p = requireSquare(S, "eigh");
      requireShape(V, p, p, "eigh", "V");
      requireLength(w, p, "eigh", "w");
      const numbers = read(s);
      const c = unitScale(maxAbs(numbers, p, "eigh"));
      if (p === 0) return;
      if (p <= onHost) {
        const vectors = J.small(p, p);
        J.factor.eigh(vectors, w, J.small(p, p, numbers));
        memory.write(v, J.read(vectors));
        return;
      }
      const [A, W] = [scratch("A", 8 * p * p), scratch("s", 8 * p)];
      launch.rows("symmetricPart", p, p, [BigInt(p), 0.5 * c, address(s), address(A)]);
      const which = [COLUMNS.vectors, COLUMNS.lower, p, A.at, p, W.at];
      const [work, count] = workspace("cusolverDnDsyevd_bufferSize", ...which);
      device.call("cusolverDnDsyevd", device.cusolver, ...which, work, count, info().at);
      requireDone("eigh", "dsyevd", p, p);
      // eigenvectors in columns there are rows here
      launch.rows("transpose", p, p, [BigInt(p), BigInt(p), address(A), address(v)]);
      device.download(w.subarray(0, p), W.at);
      for (let j = 0; j < p; j++) w[j]! /= c;
    },

    svd(U, s, V, A) {
      const [u, v, a] = [small(U, "svd", "U"), small(V, "svd", "V"), small(A, "svd", "A")];
      const { rows, cols } = A;
      const k = Math.min(rows, cols);
      requireShape(U, rows, k, "svd", "U");
      requireShape(V, cols, k, "svd", "V");
      requireLength(s, k, "svd", "s");
      const numbers = read(a);
      const c = unitScale(maxAbs(numbers, cols, "svd"));
      if (k === 0) return;
      if (k <= onHost) {
        const [Uj, Vj] = [J.small(rows, k), J.small(cols, k)];
        J.factor.svd(Uj, s, Vj, J.small(rows, cols, numbers));
        memory.write(u, J.read(Uj));
        memory.write(v, J.read(Vj));
        return;
      }
      for (let i = 0; i < numbers.length; i++) numbers[i]! *= c;
      // a wide A, row after row, is Aᵀ by columns
      const wide = rows < cols;
      const m = Math.max(rows, cols);
      const columns = wide ? numbers : new Float64Array(m * k);
      if (!wide) transpose(columns, numbers, m, k);
      const [left, right] = [new Float64Array(m * k), new Float64Array(k * k)];
      svdByColumns(m, k, columns, left, s, right);
      const tall = new Float64Array(m * k);
      transpose(tall, left, k, m);
      // Vᵀ by columns is V row after row
      memory.write(wide ? v : u, tall);
      memory.write(wide ? u : v, right);
      for (let j = 0; j < k; j++) s[j]! /= c;
    },

    solve(X, A, B) {
      const [x, a, b] = [small(X, "solve", "X"), small(A, "solve", "A"), small(B, "solve", "B")];
      const p = requireSquare(A, "solve");
      requireShape(B, p, B.cols, "solve", "B");
      requireShape(X, p, B.cols, "solve", "X");
      const [LU, right] = [read(a), read(b)];
      maxAbs(LU, p, "solve");
      maxAbs(right, B.cols, "solve");
      const large = p > onHost && B.cols > 0;
      solveInPlace(LU, right, p, B.cols, new Float64Array(p), large ? eliminate : undefined);
      memory.write(x, right);
    },
  };
}

function requireLength(w: Float64Array, length: number, op: string, letter: string): void {
  if (!(w instanceof Float64Array) || w.length < length) {
    throw new EngineError(`${op}: ${letter} has room for ${w?.length} numbers but ${length} are needed.`);
  }
}
