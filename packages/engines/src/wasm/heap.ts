/** Matrices in one linear memory that grows and never shrinks. Space comes back when the garbage collector has found a matrix dead. */

import { digits, EngineError } from "@expen/linalg";
import { hostNumbers, type Memory, type Owned } from "@expen/linalg/engine";
import { collectGarbage } from "../collect-garbage.js";
import { freeList } from "./freelist.js";
import { EMPTY, HeapMatrix, type Home, type Room, Tied } from "./heap-matrix.js";

const PAGE = 2 ** 16;
const LIMIT = 2 ** 32;
/** Every matrix begins on a cache line, and the kernels may read (not write) this far beyond its end. */
const LINE = 64;
/** Below lie the constants of the kernels. */
const CONSTANTS = 16384;
/** The collector is told of matrices from this size on. */
const HEAVY = 2 ** 16;
/**
 * Matrices up to this size share rooms, which come back when all in them are dead. To follow each of them would take the collector longer
 * than what is done with a small matrix; to follow a room takes as long as some dozens of operations, so it is not too small.
 */
const SMALL = 2 ** 13;
const ROOM = 2 ** 18;
/**
 * What the collector is told of matrices and rooms: a part of their size. A small heap is gone through after every 8 MB or so; by full
 * weight, short runs would spend a fifth of their time on that.
 */
const WEIGHT = 1 / 4;
/**
 * Bytes lent beyond the least that were taken before, after which the collector is called at once. What it is told of only makes it begin:
 * it marks beside the program, for as long as the objects of the program take, and in Node 26 (V8 14) a buffer that is made meanwhile no
 * longer takes a part of that work. A loop that makes matrices faster than they are marked (64 MiB take 0.3 ms where they lie on pages not
 * touched before) would fill 4 GiB with garbage. Twice as much as what makes the collector begin, 64 MiB / WEIGHT.
 */
const BURST = 2 ** 29;

const gib = (bytes: number): string => digits(bytes / 2 ** 30);

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
  /** The matrix that a view of its numbers keeps alive */
  matrixOf(view: Float64Array): Owned | undefined;
  /** Bytes in living matrices and those not yet found dead, and bytes of the memory. */
  use(): { taken: number; size: number };
}

const NO_ROOM: Room = { at: 0, end: 0, weight: EMPTY.buffer };

/** Apart from the heap: what waits for the death of a matrix or room must not know it, and the heap knows the room that is open. */
function pieces() {
  const free = freeList();
  let taken = 0;
  /** more is taken only after a collection */
  let bound = BURST;
  return {
    taken: () => taken,
    /** as in `FreeList` */
    reuse: free.take,
    /** Counted; what is done when the owner of these bytes is dead */
    lent(at: number, bytes: number) {
      taken += bytes;
      if (taken > bound) {
        collectGarbage();
        // what it found comes back when the event loop turns
        bound = taken + BURST;
      }
      return (): void => {
        taken -= bytes;
        bound = Math.min(bound, taken + BURST);
        free.give(at, bytes);
      };
    },
  };
}

export function heap(linear: WebAssembly.Memory): Heap {
  const { taken, reuse, lent } = pieces();
  let memory: WebAssembly.Memory | undefined = linear;
  const home: Home = { buffer: linear.buffer };
  /** nothing above was ever handed out, so it is still zero */
  let top = CONSTANTS;
  let emptied = 0;
  let open = NO_ROOM;

  /** Whether `end` and what kernels read beyond it lie inside, for which the memory grows. */
  function reaches(end: number): boolean {
    const missing = end + LINE - home.buffer.byteLength;
    if (missing <= 0) return true;
    // somewhat more than is missing, so that many small matrices do not grow it many times
    for (const bytes of [missing + home.buffer.byteLength / 4, missing]) {
      try {
        memory?.grow(Math.ceil(bytes / PAGE));
        // views of a shared memory stay as they are
        if (home.buffer.byteLength === 0) emptied++;
        home.buffer = memory!.buffer;
        return true;
      } catch {}
    }
    return false;
  }

  const full = (what: string): EngineError =>
    new EngineError(
      `${what}; ${gib(taken())} of ${gib(LIMIT)} GiB of WebAssembly memory are taken; use a smaller n or p, ` +
        "make matrices outside of loops (dropped ones come back only when the event loop turns), or use the js engine.",
    );

  /** `bytes` in whole lines, above everything else; −1 where there is no place for them */
  function fromTop(bytes: number): number {
    if (!reaches(top + bytes)) return -1;
    const at = top;
    top += bytes;
    return at;
  }

  /** Zeros, from the list or from above; −1 likewise */
  function take(bytes: number): number {
    const at = reuse(bytes);
    if (at < 0) return fromTop(bytes);
    new Float64Array(home.buffer, at, bytes / 8).fill(0);
    return at;
  }

  /** The collector is to tell when `owner` of these bytes is dead. */
  function follow(owner: object, at: number, bytes: number): void {
    registry.register(owner, lent(at, bytes));
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

    use: () => ({ taken: taken(), size: home.buffer.byteLength }),

    ...hostNumbers,
    // only disposing of the engine takes numbers away
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
 * The collector sees only the small object, not the megabytes behind it, and would let garbage fill the memory. An untouched buffer
 * makes it count them: one that could be resized is address space for sure, while a plain one may be taken from memory that was used
 * before, and is then filled with zeros.
 */
function ballast(bytes: number): ArrayBuffer {
  const told = WEIGHT * bytes;
  try {
    return new ArrayBuffer(told, { maxByteLength: told });
  } catch {
    return EMPTY.buffer;
  }
}
