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

export async function spilling(): Promise<Spilling> {
  const plain = heapMemory();
  let wasm: WasmParts;
  try {
    wasm = await wasmParts();
  } catch {
    return { memory: plain, kernels: { ...jsKernels }, description: "plain JavaScript loops" };
  }
  /** What the engine calls; until something is spilled, WebAssembly itself. */
  const kernels: Kernels = { ...wasm.kernels };
  let disposed = false;

  const memory: Memory = {
    ...hostNumbers,
    alive: (A) => (A.at === 0 ? plain : wasm.memory).alive(A),
    allocate(rows, cols, owner, kind) {
      try {
        return wasm.memory.allocate(rows, cols, owner, kind);
      } catch (error) {
        if (disposed || !(error instanceof EngineError)) throw error;
        const M = plain.allocate(rows, cols, owner, kind);
        choose(kernels, wasm.kernels);
        return M;
      }
    },
    dispose() {
      disposed = true;
      wasm.memory.dispose();
    },
  };
  return { memory, kernels, description: wasm.description, linear: wasm.linear };
}

/** Matrices of the JavaScript heap have at = 0. */
const outside = (argument: unknown): boolean =>
  Array.isArray(argument) ? argument.some(outside) : (argument as Owned).at === 0;

/** From now on each kernel that is still WebAssembly's looks where its matrices lie. */
function choose(kernels: Kernels, fast: Kernels): void {
  for (const name of Object.keys(fast) as (keyof Kernels)[]) {
    if (kernels[name] !== fast[name]) continue;
    const [inside, anywhere] = [fast[name], jsKernels[name]] as ((...args: unknown[]) => unknown)[];
    const either = (...args: unknown[]) => (args.some(outside) ? anywhere! : inside!)(...args);
    Object.assign(kernels, { [name]: either });
  }
}
