/** Matrices in one linear memory that grows and never shrinks. Space comes back when the garbage collector has found a matrix dead. */

import { digits } from "../../numbers.js";
import { EngineError, type Kind, type Memory, type Owned } from "../engine.js";
import { hostNumbers } from "../js.js";
import { freeList } from "./freelist.js";

const PAGE = 2 ** 16;
const LIMIT = 2 ** 32;
/** Every matrix begins on a cache line, and the kernels may read (not write) this far beyond its end. */
const LINE = 64;
/** Below lie the constants of the kernels. */
const CONSTANTS = 16384;
/** The collector is told of matrices from this size on. */
const HEAVY = 2 ** 16;
/**
 * Matrices up to this size share rooms of HEAVY bytes, which come back when all in them are dead. To follow each of them would take the
 * collector longer than what is done with a small matrix.
 */
const SMALL = 2 ** 13;

const gib = (bytes: number): string => digits(bytes / 2 ** 30);
const EMPTY = new Float64Array(0);

/**
 * One registry for all heaps, alive for good: in Node 20, when a registry dies between a collection and its callbacks, V8 takes
 * the clean-up for still pending and never runs one again in the whole process.
 */
const registry = new FinalizationRegistry<() => void>((release) => release());

export interface Heap extends Memory {
  /** Numbers elsewhere as a matrix, at = 0, for kernels that read them there; of the one class of all matrices, which V8 knows best */
  elsewhere: NonNullable<Memory["lend"]>;
  /** Space that stays for good, in bytes, on a line of its own. */
  reserve(bytes: number): number;
  emptied(): number;
  /** Bytes in living matrices and those not yet found dead, and bytes of the memory. */
  use(): { taken: number; size: number };
}

/** Bytes from `at` on are free, and zero; matrices in it keep it alive. */
interface Room {
  at: number;
  readonly end: number;
}
const NO_ROOM: Room = { at: 0, end: 0 };

/** Apart from the heap: what waits for the death of a matrix or room must not know it, and the heap knows the room that is open. */
function pieces() {
  const free = freeList();
  let taken = 0;
  return {
    taken: () => taken,
    /** as in `FreeList` */
    reuse: free.take,
    /** Counted; what is done when the owner of these bytes is dead */
    lent(at: number, bytes: number) {
      taken += bytes;
      return (): void => {
        taken -= bytes;
        free.give(at, bytes);
      };
    },
  };
}

export function heap(linear: WebAssembly.Memory): Heap {
  const { taken, reuse, lent } = pieces();
  let memory: WebAssembly.Memory | undefined = linear;
  let buffer = memory.buffer;
  /** nothing above was ever handed out, so it is still zero */
  let top = CONSTANTS;
  let emptied = 0;
  let open = NO_ROOM;
  /** A view keeps its matrix, and so its space, alive; a `subarray` of it does not. */
  const matrixOf = new WeakMap<Float64Array, Owned>();
  const ballastOf = new WeakMap<object, ArrayBuffer>();

  function viewOf(M: Owned): Float64Array<ArrayBuffer> {
    const view = new Float64Array(buffer as ArrayBuffer, M.at, M.rows * M.cols);
    matrixOf.set(view, M);
    return view;
  }

  class HeapMatrix implements Owned {
    #view: Float64Array<ArrayBuffer>;
    #buffer: ArrayBufferLike | undefined;

    constructor(
      readonly rows: number,
      readonly cols: number,
      readonly owner: object,
      readonly at: number,
      readonly kind: Kind,
      numbers = EMPTY,
      /** which is to live as long */
      readonly room?: Room,
    ) {
      this.#view = numbers;
    }

    /** A growing memory detaches old views, so a new one is made where the buffer has changed. */
    get data(): Float64Array<ArrayBuffer> {
      if (this.#buffer !== buffer && this.at !== 0) {
        this.#buffer = buffer;
        this.#view = memory ? viewOf(this) : EMPTY;
      }
      return this.#view;
    }
  }

  /** Grows the memory so that `end` and what kernels read beyond it lie inside. */
  function reach(end: number, what: string): void {
    const missing = end + LINE - buffer.byteLength;
    if (missing <= 0) return;
    // somewhat more than is missing, so that many small matrices do not grow it many times
    for (const bytes of [missing + buffer.byteLength / 4, missing]) {
      try {
        memory?.grow(Math.ceil(bytes / PAGE));
        // views of a shared memory stay as they are
        if (buffer.byteLength === 0) emptied++;
        buffer = memory!.buffer;
        return;
      } catch {}
    }
    throw new EngineError(
      `${what}; ${gib(taken())} of ${gib(LIMIT)} GiB of WebAssembly memory are taken; use a smaller n or p, ` +
        "make matrices outside of loops (dropped ones come back only when the event loop turns), or use the js engine.",
    );
  }

  /** `bytes` in whole lines, above everything else */
  function fromTop(bytes: number, what: string): number {
    reach(top + bytes, what);
    const at = top;
    top += bytes;
    return at;
  }

  /** Zeros, from the list or from above */
  function take(bytes: number, what: string): number {
    const at = reuse(bytes);
    if (at < 0) return fromTop(bytes, what);
    new Float64Array(buffer, at, bytes / 8).fill(0);
    return at;
  }

  /** The collector is to tell when `owner` of these bytes is dead. */
  function follow(owner: object, at: number, bytes: number): void {
    registry.register(owner, lent(at, bytes));
    if (bytes >= HEAVY) ballastOf.set(owner, ballast(bytes));
  }

  function openRoom(what: string): void {
    const at = take(HEAVY, what);
    open = { at, end: at + HEAVY };
    follow(open, at, HEAVY);
  }

  return {
    reserve: (bytes) => fromTop(Math.ceil(bytes / LINE) * LINE, `wasm: no memory for ${gib(bytes)} GiB of scratch`),

    elsewhere: (rows, cols, owner, kind, numbers) =>
      new HeapMatrix(rows, cols, owner, 0, kind, numbers as Float64Array<ArrayBuffer>),

    use: () => ({ taken: taken(), size: buffer.byteLength }),

    ...hostNumbers,
    // only disposing of the engine takes numbers away
    alive: ({ rows, cols }) => memory !== undefined || rows * cols === 0,

    allocate(rows, cols, owner, kind) {
      if (!memory) throw new EngineError(`matrix: ${rows}×${cols} was asked of a disposed engine; open a new engine.`);
      if (rows * cols === 0) return new HeapMatrix(rows, cols, owner, 0, kind);
      const bytes = Math.ceil((rows * cols * 8) / LINE) * LINE;
      const what = `matrix: no memory for ${rows}×${cols} doubles (${gib(bytes)} GiB)`;
      if (bytes <= SMALL) {
        if (open.end - open.at < bytes) openRoom(what);
        const { at } = open;
        open.at += bytes;
        return new HeapMatrix(rows, cols, owner, at, kind, EMPTY, open);
      }
      const at = take(bytes, what);
      const M = new HeapMatrix(rows, cols, owner, at, kind);
      follow(M, at, bytes);
      return M;
    },

    emptied: () => emptied,

    dispose() {
      memory = undefined;
      buffer = new ArrayBuffer(0);
      open = NO_ROOM;
    },
  };
}

/**
 * The collector sees only the small object, not the megabytes behind it, and would let garbage fill the memory. An untouched buffer
 * of the same size makes it count right: one that could be resized is address space for sure, while a plain one may be taken
 * from memory that was used before, and is then filled with zeros.
 */
function ballast(bytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes, { maxByteLength: bytes });
  } catch {
    return EMPTY.buffer;
  }
}
