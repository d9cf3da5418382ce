/** Matrices in WebAssembly memory while it lasts, then in JavaScript's own; for engines whose products can read both. */

import { EngineError } from "@expen/linalg";
import type { Kernels, Memory, Owned } from "@expen/linalg/engine";
import { heapMemory, hostNumbers, jsKernels } from "@expen/linalg/engine";
import { type WasmParts, wasmParts } from "../wasm/engine.js";
import { type Stage, stage } from "./spill-tiles.js";

export interface Spilling {
  memory: Memory;
  /** Each operation in WebAssembly: on the matrices themselves where all lie there, else on copies of a tile at a time */
  kernels: Kernels;
  description: string;
  /** where there is WebAssembly */
  linear?: WebAssembly.Memory;
}

export interface SpillOptions {
  wasm?: () => Promise<WasmParts>;
  /** numbers of a tile, for tests */
  tile?: number;
  /** sees each array outside of the WebAssembly memory before it is written */
  made?: (numbers: Float64Array) => void;
}

export async function spilling({ wasm = wasmParts, tile, made }: SpillOptions = {}): Promise<Spilling> {
  let parts: WasmParts;
  try {
    parts = await wasm();
  } catch {
    return { memory: heapMemory(), kernels: { ...jsKernels }, description: "plain JavaScript loops" };
  }
  const { description, linear } = parts;
  // made now: when the memory is full it is too late for a stage
  const staged = stage(parts.kernels, parts.heap, tile);
  return { ...overflowing(parts, staged, made), description, linear };
}

/** Knows nothing of the linear memory itself: that is given back when the engine is disposed, even if the engine is kept. */
function overflowing(
  { memory: wasm, kernels: fast, heap }: WasmParts,
  staged: Stage,
  made?: SpillOptions["made"],
): Pick<Spilling, "memory" | "kernels"> {
  const plain = heapMemory();
  let disposed = false;

  const memory: Memory = {
    ...hostNumbers,
    alive: (A) => (A.at === 0 ? plain.alive(A) : !disposed),
    allocate(rows, cols, owner, kind) {
      try {
        return wasm.allocate(rows, cols, owner, kind);
      } catch (error) {
        if (disposed || !(error instanceof EngineError)) throw error;
        const M = plain.allocate(rows, cols, owner, kind);
        made?.(M.data);
        return M;
      }
    },
    lend: heap.elsewhere,
    emptied: () => wasm.emptied?.() ?? 0,
    dispose() {
      disposed = true;
      wasm.dispose();
    },
  };
  return { memory, kernels: either(fast, beyond(staged)) };
}

/** The matrices among the arguments of a kernel */
function matricesOf(args: readonly unknown[]): Owned[] {
  const found: Owned[] = [];
  for (const argument of args) {
    if (Array.isArray(argument)) found.push(...matricesOf(argument));
    else if (typeof (argument as Owned).at === "number") found.push(argument as Owned);
  }
  return found;
}

/** In tiles where these fit, else in plain loops */
function beyond({ kernels: staged, fits }: Stage): Kernels {
  const kernels: Kernels = { ...jsKernels };
  for (const name of Object.keys(staged) as (keyof Kernels)[]) {
    const [tiled, plain] = [staged[name], jsKernels[name]] as ((...args: unknown[]) => unknown)[];
    const chosen = (...args: unknown[]) => (fits(matricesOf(args)) ? tiled! : plain!)(...args);
    Object.assign(kernels, { [name]: chosen });
  }
  return kernels;
}

/** Those of `fast` where all matrices lie in its memory, else those of `any`. Matrices of the JavaScript heap have at = 0. */
function either(fast: Kernels, any: Kernels): Kernels {
  const of = (A: Owned, B = A, C = A): Kernels => (A.at !== 0 && B.at !== 0 && C.at !== 0 ? fast : any);
  const ofAll = (As: readonly Owned[], count = As.length): Kernels => {
    for (let i = 0; i < count; i++) if (As[i]!.at === 0) return any;
    return fast;
  };
  const both = (a: Kernels, b: Kernels): Kernels => (a === fast ? b : any);
  return {
    gemm: (m, n, k, a, A, tA, B, tB, b, C) => of(A, B, C).gemm(m, n, k, a, A, tA, B, tB, b, C),
    gram: (n, p, A, b, S) => of(A, S).gram(n, p, A, b, S),
    dot: (size, X, Y) => of(X, Y).dot(size, X, Y),
    dots: (size, count, Xs, Y, r) => both(of(Y), ofAll(Xs, count)).dots(size, count, Xs, Y, r),
    copy: (size, X, Y) => of(X, Y).copy(size, X, Y),
    fill: (size, a, Y) => of(Y).fill(size, a, Y),
    axpby: (size, a, X, b, Y) => of(X, Y).axpby(size, a, X, b, Y),
    combine: (size, a, X, b, Y, Z) => of(X, Y, Z).combine(size, a, X, b, Y, Z),
    combination: (size, count, c, Xs, b, Z) => both(of(Z), ofAll(Xs, count)).combination(size, count, c, Xs, b, Z),
    map: (size, chain, inputs, outputs) => both(ofAll(inputs), ofAll(outputs)).map(size, chain, inputs, outputs),
    symmetrize: (p, S) => of(S).symmetrize(p, S),
    mirror: (p, S) => of(S).mirror(p, S),
    addDiagonal: (p, a, S) => of(S).addDiagonal(p, a, S),
    rowDots: (n, p, X, Y, r) => of(X, Y, r).rowDots(n, p, X, Y, r),
    scaleRows: (n, p, a, r, X, b, Y) => of(r, X, Y).scaleRows(n, p, a, r, X, b, Y),
    // operators look themselves where their matrices lie
    ...(fast.sparse && { sparse: fast.sparse }),
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      both(of(lower, main, upper), of(X, Y)).tridiagonal(n, p, a, lower, main, upper, X, b, Y),
    tridiagonalSolve: (n, p, lower, pivot, upper, X, Y) =>
      both(of(lower, pivot, upper), of(X, Y)).tridiagonalSolve(n, p, lower, pivot, upper, X, Y),
  };
}
