/** Matrices in WebAssembly memory while it lasts, then in JavaScript's own; for engines whose products can read both. */
import type { Kernels, Memory, Owned } from "./engine.js";
import { EngineError } from "./engine.js";
import { heapMemory, jsKernels } from "./js.js";
import { type WasmParts, wasmParts } from "./wasm.js";

export interface Spilling {
  memory: Memory;
  /** Each operation in WebAssembly where all its matrices lie there, in plain loops otherwise */
  kernels: Kernels;
  description: string;
  /** where there is WebAssembly */
  linear?: WebAssembly.Memory;
}

export async function spilling(wasm: () => Promise<WasmParts> = wasmParts): Promise<Spilling> {
  let parts: WasmParts;
  try {
    parts = await wasm();
  } catch {
    return { memory: heapMemory(), kernels: { ...jsKernels }, description: "plain JavaScript loops" };
  }
  const { description, linear } = parts;
  return { ...overflowing(parts), description, linear };
}

/** Knows nothing of the linear memory itself: that is given back when the engine is disposed, even if the engine is kept. */
function overflowing({ memory: wasm, kernels: fast, heap }: WasmParts): Pick<Spilling, "memory" | "kernels"> {
  const plain = heapMemory();
  let disposed = false;

  const memory: Memory = {
    ...plain,
    alive: (A) => (A.at === 0 ? plain : wasm).alive(A),
    allocate(rows, cols, owner, kind) {
      try {
        return wasm.allocate(rows, cols, owner, kind);
      } catch (error) {
        if (disposed || !(error instanceof EngineError)) throw error;
        return plain.allocate(rows, cols, owner, kind);
      }
    },
    lend: heap.elsewhere,
    emptied: () => wasm.emptied?.() ?? 0,
    dispose() {
      disposed = true;
      wasm.dispose();
    },
  };
  return { memory, kernels: either(fast, jsKernels) };
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
    tridiagonal: (n, p, a, lower, main, upper, X, b, Y) =>
      both(of(lower, main, upper), of(X, Y)).tridiagonal(n, p, a, lower, main, upper, X, b, Y),
    tridiagonalSolve: (n, p, lower, pivot, upper, X, Y) =>
      both(of(lower, pivot, upper), of(X, Y)).tridiagonalSolve(n, p, lower, pivot, upper, X, Y),
  };
}
