/** Matrices in one linear memory that grows and never shrinks. The space of a matrix is free again after its garbage collection. */

import { digits, EngineError } from "@expen/linalg";
import { hostNumbers, type Memory, type Owned } from "@expen/linalg/engine";
import { collectGarbage } from "../collect-garbage.js";
import { freeList } from "./freelist.js";
import { EMPTY, HeapMatrix, type Home, type Room, Tied } from "./heap-matrix.js";

/** Bytes of a page of WebAssembly memory */
const PAGE = 2 ** 16;
/** Bytes that a 32-bit WebAssembly memory has at most */
const LIMIT = 2 ** 32;
/** Bytes of a cache line: every matrix begins on one, and kernels may read, not write, this far beyond its end. */
const LINE = 64;
/** Bytes for the constants of the kernels, below all matrices */
const CONSTANTS = 16384;
/** Bytes from which a matrix has a ballast of its own. */
const HEAVY = 2 ** 16;
/**
 * Bytes up to which matrices share rooms, which are free again when all of their matrices are dead: to register a small matrix with the
 * collector would take longer than the operations on it.
 */
const SMALL = 2 ** 13;
/** Bytes of a room: its registration takes as long as some dozens of operations, and so little per matrix. */
const ROOM = 2 ** 18;
/**
 * Ballast of a matrix or room as a fraction of its size. V8 marks a small heap after about 8 MB of allocations; with a ballast of full
 * size, short runs would spend a fifth of their time on that.
 */
const WEIGHT = 1 / 4;
/**
 * Bytes of allocations since the smallest use of the memory after which the collector is called. Ballast only starts the collector, which
 * marks concurrently with the program; in Node 26 (V8 14) new buffers no longer take a share of the marking. A loop that allocates faster
 * than objects are marked (64 MiB take 0.3 ms on untouched pages) would fill 4 GiB with garbage. Twice the bytes that start the
 * collector, 64 MiB/WEIGHT.
 */
const BURST = 2 ** 29;

const gib = (bytes: number): string => digits(bytes / 2 ** 30);

/**
 * One registry for all heaps, never collected: in Node 20, if a registry dies between a collection and its callbacks, no registry of the
 * process calls back again.
 */
const registry = new FinalizationRegistry<() => void>((release) => release());

export interface Heap extends Memory {
  /** A matrix (at = 0) on numbers outside of the memory; of the same class as all matrices, so that compiled code serves it */
  elsewhere: NonNullable<Memory["lend"]>;
  /** The address of so many bytes, on a cache line of their own, which are never free again */
  reserve(bytes: number): number;
  emptied(): number;
  /** The matrix that a view of its numbers keeps alive */
  matrixOf(view: Float64Array): Owned | undefined;
  /** taken: bytes of matrices that are not known to be dead; size: bytes of the memory */
  use(): { used: number; size: number };
}

const NO_ROOM: Room = { at: 0, end: 0, weight: EMPTY.buffer };

/** A function apart from the heap, which refers to the open room: callbacks of the registry must not refer to a matrix or room. */
function pieces() {
  const free = freeList();
  let used = 0;
  /** bytes beyond which the next allocation calls the collector */
  let bound = BURST;
  return {
    taken: () => used,
    /** as in `FreeList` */
    reuse: free.take,
    /** Counts the bytes of a new owner; returns the callback for its death. */
    count(at: number, bytes: number) {
      used += bytes;
      if (used > bound) {
        collectGarbage();
        // the callbacks of the registry run in the next turn of the event loop
        bound = used + BURST;
      }
      return (): void => {
        used -= bytes;
        bound = Math.min(bound, used + BURST);
        free.give(at, bytes);
      };
    },
  };
}

export function heap(linear: WebAssembly.Memory): Heap {
  const { taken: inUse, reuse, count } = pieces();
  let memory: WebAssembly.Memory | undefined = linear;
  const home: Home = { buffer: linear.buffer };
  /** the address above which the memory was never used, and is zero */
  let top = CONSTANTS;
  let emptied = 0;
  let open = NO_ROOM;

  /** Grows the memory, if need be, to `end` and the line that kernels may read beyond it; returns whether it reaches so far. */
  function growTo(end: number): boolean {
    const missing = end + LINE - home.buffer.byteLength;
    if (missing <= 0) return true;
    // by a quarter more, so that many small matrices do not grow it many times
    for (const bytes of [missing + home.buffer.byteLength / 4, missing]) {
      try {
        memory?.grow(Math.ceil(bytes / PAGE));
        // growth detaches the views of a memory that is not shared
        if (home.buffer.byteLength === 0) emptied++;
        home.buffer = memory!.buffer;
        return true;
      } catch {}
    }
    return false;
  }

  const full = (what: string): EngineError =>
    new EngineError(
      `${what}; ${gib(inUse())} of ${gib(LIMIT)} GiB of WebAssembly memory are taken; use a smaller n or p, ` +
        "make matrices outside of loops (dropped ones come back only when the event loop turns), or use the js engine.",
    );

  /** The address of so many unused bytes, a multiple of LINE; −1 if the memory cannot grow */
  function fromTop(bytes: number): number {
    if (!growTo(top + bytes)) return -1;
    const at = top;
    top += bytes;
    return at;
  }

  /** The address of so many zeros, used before or not; −1 if the memory cannot grow */
  function take(bytes: number): number {
    const at = reuse(bytes);
    if (at < 0) return fromTop(bytes);
    new Float64Array(home.buffer, at, bytes / 8).fill(0);
    return at;
  }

  /** Frees the bytes after the garbage collection of `owner`. */
  function follow(owner: object, at: number, bytes: number): void {
    registry.register(owner, count(at, bytes));
  }

  function openRoom(): boolean {
    const at = take(ROOM);
    if (at < 0) return false;
    open = { at, end: at + ROOM, weight: ballast(ROOM) };
    follow(open, at, ROOM);
    return true;
  }

  return {
    reserve(bytes) {
      const at = fromTop(Math.ceil(bytes / LINE) * LINE);
      if (at < 0) throw full(`wasm: no memory for ${gib(bytes)} GiB of scratch`);
      return at;
    },

    elsewhere: (rows, cols, owner, kind, numbers) =>
      new HeapMatrix(home, rows, cols, owner, 0, kind, numbers as Float64Array<ArrayBuffer>),

    matrixOf: Tied.matrixOf,

    use: () => ({ used: inUse(), size: home.buffer.byteLength }),

    ...hostNumbers,
    // matrices lose their numbers by `dispose` only
    alive: ({ rows, cols }) => memory !== undefined || rows * cols === 0,

    allocate(rows, cols, owner, kind) {
      if (!memory) throw new EngineError(`matrix: ${rows}×${cols} was asked of a disposed engine; open a new engine.`);
      if (rows * cols === 0) return new HeapMatrix(home, rows, cols, owner, 0, kind);
      const bytes = Math.ceil((rows * cols * 8) / LINE) * LINE;
      if (bytes <= SMALL && (open.end - open.at >= bytes || openRoom())) {
        const { at } = open;
        open.at += bytes;
        return new HeapMatrix(home, rows, cols, owner, at, kind, EMPTY, open);
      }
      const at = take(bytes);
      if (at < 0) throw full(`matrix: no memory for ${rows}×${cols} doubles (${gib(bytes)} GiB)`);
      const M = new HeapMatrix(home, rows, cols, owner, at, kind, EMPTY, bytes < HEAVY ? undefined : ballast(bytes));
      follow(M, at, bytes);
      return M;
    },

    emptied: () => emptied,

    dispose() {
      memory = undefined;
      home.buffer = new ArrayBuffer(0);
      open = NO_ROOM;
    },
  };
}

/**
 * A buffer that makes the collector count the bytes of a matrix: it knows of the small object only, and would let garbage fill the memory.
 * A resizable buffer is address space that is never touched; a plain one may reuse memory, which is then filled with zeros.
 */
function ballast(bytes: number): ArrayBuffer {
  const byteLength = WEIGHT * bytes;
  try {
    return new ArrayBuffer(byteLength, { maxByteLength: byteLength });
  } catch {
    return EMPTY.buffer;
  }
}
