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
}

export async function spilling(): Promise<Spilling> {
  const plain = heapMemory();
  let wasm: WasmParts;
  try {
    wasm = await wasmParts();
  } catch {
    return { memory: plain, kernels: jsKernels, description: "plain JavaScript loops" };
  }
  let spilled = false;
  let disposed = false;

  const memory: Memory = {
    allocate(rows, cols, owner) {
      try {
        return wasm.memory.allocate(rows, cols, owner);
      } catch (error) {
        if (disposed || !(error instanceof EngineError)) throw error;
        const M = plain.allocate(rows, cols, owner);
        spilled = true;
        return M;
      }
    },
    dispose() {
      disposed = true;
      wasm.memory.dispose();
    },
  };

  /** Matrices of the JavaScript heap have at = 0. */
  const outside = (argument: unknown): boolean => (argument as Owned).at === 0;
  const route = <F extends (...args: never[]) => unknown>(fast: F, slow: F): F =>
    ((...args: never[]) => (spilled && args.some(outside) ? slow : fast)(...args)) as F;
  const kernels = Object.fromEntries(
    Object.entries(jsKernels).map(([name, slow]) => [name, route(wasm.kernels[name as keyof Kernels], slow)]),
  ) as unknown as Kernels;

  return { memory, kernels, description: wasm.description };
}
