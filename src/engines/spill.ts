/** Matrices in WebAssembly memory while it lasts, then in JavaScript's own; for engines whose products can read both. */
import type { Kernels, Memory, Owned } from "./engine.js";
import { EngineError } from "./engine.js";
import { heapMemory, hostNumbers, jsKernels } from "./js.js";
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
  return { ...overflowing(parts.memory, parts.kernels), description, linear };
}

/** Knows nothing of the linear memory itself: that is given back when the engine is disposed, even if the engine is kept. */
function overflowing(wasm: Memory, fast: Kernels): Pick<Spilling, "memory" | "kernels"> {
  const plain = heapMemory();
  /** What the engine calls; until something is spilled, WebAssembly itself. */
  const kernels: Kernels = { ...fast };
  let disposed = false;

  const memory: Memory = {
    ...hostNumbers,
    alive: (A) => (A.at === 0 ? plain : wasm).alive(A),
    allocate(rows, cols, owner, kind) {
      try {
        return wasm.allocate(rows, cols, owner, kind);
      } catch (error) {
        if (disposed || !(error instanceof EngineError)) throw error;
        const M = plain.allocate(rows, cols, owner, kind);
        choose(kernels, fast);
        return M;
      }
    },
    emptied: () => wasm.emptied?.() ?? 0,
    dispose() {
      disposed = true;
      wasm.dispose();
    },
  };
  return { memory, kernels };
}

/** Matrices of the JavaScript heap have at = 0. */
const outside = (argument: unknown): boolean =>
  Array.isArray(argument) ? argument.some(outside) : (argument as Owned).at === 0;

/** From now on each kernel that is still WebAssembly's looks where its matrices lie. */
function choose(kernels: Kernels, fast: Kernels): void {
  for (const name of Object.keys(fast) as (keyof Kernels)[]) {
    if (kernels[name] !== fast[name] || !(name in jsKernels)) continue;
    const [inside, anywhere] = [fast[name], jsKernels[name]] as ((...args: unknown[]) => unknown)[];
    const either = (...args: unknown[]) => (args.some(outside) ? anywhere! : inside!)(...args);
    Object.assign(kernels, { [name]: either });
  }
}
