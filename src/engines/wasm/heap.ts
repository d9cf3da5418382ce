/** Matrices in one linear memory that grows and never shrinks. Space comes back when the garbage collector has found a matrix dead. */
import { EngineError, type Memory, type Owned } from "../engine.js";
import { freeList } from "./freelist.js";

const PAGE = 2 ** 16;
const LIMIT = 2 ** 32;
/** Every matrix begins on a cache line, and the kernels may read (not write) this far beyond its end. */
const LINE = 64;
/** The collector is told of matrices from this size on. */
const HEAVY = 2 ** 16;

const gib = (bytes: number): string => (bytes / 2 ** 30).toPrecision(3);
const EMPTY = new Float64Array(0);

export interface Heap extends Memory {
  readonly memory: WebAssembly.Memory;
  /** Space that stays for good, in bytes, on a line of its own. */
  reserve(bytes: number): number;
  /** Bytes in living matrices and those not yet found dead, and bytes of the memory. */
  use(): { taken: number; size: number };
}

export function heap(memory: WebAssembly.Memory): Heap {
  const free = freeList();
  let buffer = memory.buffer;
  let disposed = false;
  /** nothing above was ever handed out, so it is still zero */
  let top = LINE;
  let taken = 0;

  const registry = new FinalizationRegistry<{ at: number; bytes: number }>(({ at, bytes }) => {
    taken -= bytes;
    free.give(at, bytes);
  });
  /** A view keeps its matrix, and so its space, alive. */
  const matrixOf = new WeakMap<Float64Array, Owned>();
  const ballastOf = new WeakMap<Owned, ArrayBuffer>();

  class HeapMatrix implements Owned {
    #view = EMPTY;
    #buffer: ArrayBufferLike | undefined;

    constructor(
      readonly rows: number,
      readonly cols: number,
      readonly owner: object,
      readonly at: number,
    ) {}

    /** A growing memory detaches old views, so a new one is made where the buffer has changed. */
    get data(): Float64Array<ArrayBuffer> {
      if (this.#buffer !== buffer) {
        this.#buffer = buffer;
        this.#view = disposed ? EMPTY : new Float64Array(buffer as ArrayBuffer, this.at, this.rows * this.cols);
        matrixOf.set(this.#view, this);
      }
      return this.#view;
    }
  }

  /** Grows the memory so that `end` and what kernels read beyond it lie inside. */
  function reach(end: number, what: string): void {
    const missing = end + LINE - buffer.byteLength;
    if (missing <= 0) return;
    for (const bytes of [missing + buffer.byteLength / 4, missing]) {
      try {
        memory.grow(Math.ceil(bytes / PAGE));
        buffer = memory.buffer;
        return;
      } catch {}
    }
    throw new EngineError(
      `${what}; ${gib(taken)} of ${gib(LIMIT)} GiB of WebAssembly memory are taken; use a smaller n or p, make matrices outside of loops (dropped ones come back only when the event loop turns), or use the js engine.`,
    );
  }

  /** `bytes` in whole lines, above everything else */
  function fromTop(bytes: number, what: string): number {
    reach(top + bytes, what);
    const at = top;
    top += bytes;
    return at;
  }

  return {
    memory,

    reserve: (bytes) => fromTop(Math.ceil(bytes / LINE) * LINE, `wasm: no memory for ${gib(bytes)} GiB of scratch`),

    use: () => ({ taken, size: buffer.byteLength }),

    allocate(rows, cols, owner) {
      if (disposed) throw new EngineError(`matrix: ${rows}×${cols} was asked of a disposed engine; open a new engine.`);
      if (rows * cols === 0) return new HeapMatrix(rows, cols, owner, 0);
      const bytes = Math.ceil((rows * cols * 8) / LINE) * LINE;
      let at = free.take(bytes);
      const used = at >= 0;
      if (!used) at = fromTop(bytes, `matrix: no memory for ${rows}×${cols} doubles (${gib(bytes)} GiB)`);
      taken += bytes;
      const M = new HeapMatrix(rows, cols, owner, at);
      if (used) M.data.fill(0);
      registry.register(M, { at, bytes });
      if (bytes >= HEAVY) ballastOf.set(M, ballast(bytes));
      return M;
    },

    dispose() {
      disposed = true;
      buffer = new ArrayBuffer(0);
    },
  };
}

/**
 * The collector sees only the small object, not the megabytes behind it, and would let garbage fill the memory. An untouched buffer
 * of the same size (address space, no pages) makes it count right.
 */
function ballast(bytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch {
    return EMPTY.buffer;
  }
}
