/** The `wasm` engine: SIMD kernels in WebAssembly, in Node and in browsers. */
import type { Engine } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { type Kernels, type Memory, makeEngine } from "@expen/linalg/engine";
import { requireThreads } from "../threads.js";
import { type Crew, crew, type Patience } from "./crew.js";
import { type Heap, heap } from "./heap.js";
import { type Host, type MapSpace, singleKernels } from "./kernels.js";
import { PROGRAM, SINGLES_BYTES, SLOTS_BYTES } from "./map.js";
import { compileKernels, type Exports, instantiate } from "./modules.js";
import { threadedKernels } from "./threads.js";
import { BLOCK_BYTES, type Hire } from "./worker.js";

export interface WasmOptions {
  /** threads for large products and elementwise operations; more than 1 need shared memory (in browsers: cross-origin isolation) */
  threads?: number;
  /** true: relaxed SIMD (fused multiply-add) or an error; false: plain SIMD; left out: relaxed SIMD if the host has it */
  relaxed?: boolean;
}

export interface WasmParts {
  memory: Memory;
  kernels: Kernels;
  description: string;
  linear: WebAssembly.Memory;
  /** for tests and benchmarks, as the two below */
  host: Host;
  heap: Heap;
  crew?: Crew;
}

/** Memory and kernels, for this engine and for those that replace some of the kernels by faster ones. */
export async function wasmParts(
  { threads = 1, relaxed: wantsRelaxed }: WasmOptions = {},
  patience?: Patience,
  hire?: Hire,
): Promise<WasmParts> {
  requireThreads("wasm", threads);
  const shared = threads > 1;
  if (shared && !canShare()) {
    throw new EngineError(
      `wasm: threads is ${threads} but this page is not cross-origin isolated; serve it with COOP and COEP headers, or use threads = 1.`,
    );
  }
  const { module, relaxed } = await compileKernels(wantsRelaxed, shared);
  const linear = linearMemory(shared);
  const host: Host = { exports: instantiate(module, linear) };
  const space = heap(linear);
  const scratch = Array.from({ length: threads }, () => space.reserve(host.exports.scratchBytes()));
  const blocks = scratch.slice(1).map(() => space.reserve(BLOCK_BYTES));
  const cell = space.allocate(1, 4, host, "small");
  const mapSpace: MapSpace = {
    program: space.allocate(1, PROGRAM, host, "small"),
    slots: scratch.map(() => space.reserve(SLOTS_BYTES)),
    singles: scratch.map(() => space.reserve(SINGLES_BYTES)),
  };
  const single = singleKernels(host, scratch[0]!, cell, mapSpace);
  const team = shared ? await crew(module, linear, host, blocks, patience, hire) : undefined;
  return {
    memory: {
      ...space,
      dispose() {
        team?.end();
        space.dispose();
        host.exports = {} as Exports;
      },
    },
    linear,
    heap: space,
    host,
    crew: team,
    kernels: team ? threadedKernels(host, single, team, scratch, mapSpace) : single,
    description: `WebAssembly ${relaxed ? "relaxed SIMD" : "SIMD"}, ${threads} thread${shared ? "s" : ""}`,
  };
}

/** Whether threads can share memory; in a browser only under cross-origin isolation. */
const canShare = (): boolean => typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated !== false;

function linearMemory(shared: boolean): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 32, maximum: 65536, shared });
  } catch (error) {
    throw new EngineError(
      `wasm: no address space for a WebAssembly memory of 4 GiB (${(error as Error).message}); raise the limit or use the js engine.`,
    );
  }
}

/** The engine of WebAssembly: SIMD kernels, on one thread or several, in Node and in browsers */
export async function wasmEngine(options: WasmOptions = {}): Promise<Engine> {
  return makeEngine({ name: "wasm", ...(await wasmParts(options)) });
}
