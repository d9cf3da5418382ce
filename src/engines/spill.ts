/** Matrices in WebAssembly memory while it lasts, then in JavaScript's own; for engines whose products can read both. */
import type { Kernels, Memory, Owned } from "./engine.js";
import { EngineError } from "./engine.js";
import { heapMemory, hostNumbers, jsKernels } from "./js.js";
import { type Stage, stage } from "./spill-tiles.js";
import { type WasmParts, wasmParts } from "./wasm.js";

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
  return {
    ...overflowing(parts.memory, parts.kernels, stage(parts.kernels, parts.heap, tile), made),
    description,
    linear,
  };
}

/** Knows nothing of the linear memory itself: that is given back when the engine is disposed, even if the engine is kept. */
function overflowing(
  wasm: Memory,
  fast: Kernels,
  staged: Stage,
  made?: SpillOptions["made"],
): Pick<Spilling, "memory" | "kernels"> {
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
        made?.(M.data);
        choose(kernels, fast, staged);
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

/** The matrices among the arguments of a kernel */
function matricesOf(args: readonly unknown[]): Owned[] {
  const found: Owned[] = [];
  for (const argument of args) {
    if (Array.isArray(argument)) found.push(...matricesOf(argument));
    else if (typeof (argument as Owned).at === "number") found.push(argument as Owned);
  }
  return found;
}

/** Matrices of the JavaScript heap have at = 0. */
const outside = ({ at }: Owned): boolean => at === 0;

/** From now on each kernel that is still WebAssembly's looks where its matrices lie. */
function choose(kernels: Kernels, fast: Kernels, { kernels: staged, fits }: Stage): void {
  for (const name of Object.keys(fast) as (keyof Kernels)[]) {
    if (kernels[name] !== fast[name]) continue;
    const [inside, plain] = [fast[name], jsKernels[name]] as ((...args: unknown[]) => unknown)[];
    const tiled = staged[name] as typeof plain | undefined;
    const chosen = (...args: unknown[]) => {
      const matrices = matricesOf(args);
      if (!matrices.some(outside)) return inside!(...args);
      return (tiled && fits(matrices) ? tiled : plain!)(...args);
    };
    Object.assign(kernels, { [name]: chosen });
  }
}
