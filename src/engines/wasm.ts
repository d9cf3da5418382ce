/** The `wasm` engine: SIMD kernels in WebAssembly, in Node and in browsers. */
import type { Engine } from "../types.js";
import { EngineError, type Kernels, type Memory, makeEngine } from "./engine.js";
import { type Heap, heap } from "./wasm/heap.js";
import { singleKernels } from "./wasm/kernels.js";
import { compileKernels, type Exports, instantiate } from "./wasm/modules.js";

export interface WasmOptions {
  /** Threads for big products and big elementwise operations; more than 1 needs shared memory (in browsers: cross-origin isolation). */
  threads?: number;
  /** true: relaxed SIMD (fused multiply-add) or an error; false: plain SIMD; left out: what the host has */
  relaxed?: boolean;
}

export interface WasmParts {
  memory: Memory;
  kernels: Kernels;
  description: string;
  /** The functions underneath. */
  exports: Exports;
  heap: Heap;
}

/** Memory and kernels, for this engine and for others that replace some of the kernels by faster ones. */
export async function wasmParts({ relaxed: wanted }: WasmOptions = {}): Promise<WasmParts> {
  const { module, relaxed } = await compileKernels(wanted, false);
  const memory = linearMemory();
  const exports = instantiate(module, memory);
  const space = heap(memory);
  return {
    memory: space,
    heap: space,
    exports,
    kernels: singleKernels(exports, space.reserve(exports.scratchBytes())),
    description: `WebAssembly ${relaxed ? "relaxed SIMD" : "SIMD"}, 1 thread`,
  };
}

function linearMemory(): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 32, maximum: 65536 });
  } catch (error) {
    throw new EngineError(
      `wasm: no address space for a WebAssembly memory of 4 GiB (${(error as Error).message}); raise the limit or use the js engine.`,
    );
  }
}

export async function wasmEngine(options: WasmOptions = {}): Promise<Engine> {
  return makeEngine({ name: "wasm", ...(await wasmParts(options)) });
}
