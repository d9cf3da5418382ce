/** Matrices in WebAssembly memory, and in the JavaScript heap once it is full; for engines whose products can read both. */

import { EngineError } from "@expen/linalg";
import type { Kernels, Memory, Owned } from "@expen/linalg/engine";
import { heapMemory, hostNumbers, jsKernels } from "@expen/linalg/engine";
import { type WasmParts, wasmParts } from "../wasm/engine.js";
import { type Stage, stage } from "./spill-tiles.js";

export interface Spilling {
  memory: Memory;
  /** WebAssembly on the matrices themselves if all are in its memory, else on copies of one tile at a time */
  kernels: Kernels;
  description: string;
  /** absent where the host has no WebAssembly */
  linear?: WebAssembly.Memory;
}

export interface SpillOptions {
  wasm?: () => Promise<WasmParts>;
  /** numbers of a tile, for tests */
  tile?: number;
  /** called with each array outside of the WebAssembly memory before it is written */
  onAllocation?: (numbers: Float64Array) => void;
}

export async function spilling({ wasm = wasmParts, tile, onAllocation }: SpillOptions = {}): Promise<Spilling> {
  let parts: WasmParts;
  try {
    parts = await wasm();
  } catch {
    return { memory: heapMemory(), kernels: { ...jsKernels }, description: "plain JavaScript loops" };
  }
  const { description, linear } = parts;
  // allocated now, while the memory has room
  const tiles = stage(parts.kernels, parts.heap, tile);
  return { ...overflowing(parts, tiles, onAllocation), description, linear };
}

/** A function apart, so that its closures do not refer to the linear memory, which is then free after `dispose`. */
function overflowing(
  { memory: wasm, kernels: fast, heap }: WasmParts,
  tiles: Stage,
  onAllocation?: SpillOptions["onAllocation"],
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
        onAllocation?.(M.data);
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
  return { memory, kernels: either(fast, kernelsOutside(tiles)) };
}

/** The matrices among the arguments of a kernel */
function matricesOf(args: readonly unknown[]): Owned[] {
  const matrices: Owned[] = [];
  for (const argument of args) {
    if (Array.isArray(argument)) matrices.push(...matricesOf(argument));
    else if (typeof (argument as Owned).at === "number") matrices.push(argument as Owned);
  }
  return matrices;
}

/** The kernels of the stage if the matrices fit in its tiles, else plain loops */
function kernelsOutside({ kernels: tileKernels, fits }: Stage): Kernels {
  const kernels: Kernels = { ...jsKernels };
  for (const name of Object.keys(tileKernels) as (keyof Kernels)[]) {
    const [tiled, plain] = [tileKernels[name], jsKernels[name]] as ((...args: unknown[]) => unknown)[];
    const kernel = (...args: unknown[]) => (fits(matricesOf(args)) ? tiled! : plain!)(...args);
    Object.assign(kernels, { [name]: kernel });
  }
  return kernels;
}

/** The kernels `fast` if all matrices are in WebAssembly memory, else `any`. Matrices of the JavaScript heap have at = 0. */
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
    // operators test themselves where their matrices are
    ...(fast.sparse && { sparse: fast.sparse }),
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      both(of(lower, main, upper), of(X, Y)).tridiagonal(n, p, a, lower, main, upper, X, b, Y),
    tridiagonalSolve: (n, p, lower, pivot, upper, X, Y) =>
      both(of(lower, pivot, upper), of(X, Y)).tridiagonalSolve(n, p, lower, pivot, upper, X, Y),
  };
}
