/** A matrix in WebAssembly memory, and the view of its numbers. */
import type { Kind, Owned } from "../engine.js";

export const EMPTY = new Float64Array(0);

/** Bytes from `at` on are free, and zero; matrices in it keep it alive. */
export interface Room {
  at: number;
  readonly end: number;
  readonly weight: ArrayBuffer;
}

const itself = function itself(view: Float64Array) {
  return view;
} as unknown as new (
  view: Float64Array,
) => object;

/**
 * A view keeps its matrix, and so its space, alive; a `subarray` of it does not. The matrix is put on the view itself as a field that
 * nobody else sees: to enter both into a WeakMap takes five times as long, and the collector has to match them at each of its turns.
 */
class Tied extends itself {
  readonly #matrix: Owned;

  constructor(view: Float64Array, matrix: Owned) {
    super(view);
    this.#matrix = matrix;
  }

  static matrixOf(view: Float64Array): Owned | undefined {
    return #matrix in view ? (view as unknown as Tied).#matrix : undefined;
  }
}

/** The memory of a heap, until it is disposed, and its buffer, which is another one whenever the memory has grown */
export interface Space {
  memory: WebAssembly.Memory | undefined;
  buffer: ArrayBufferLike;
}

/** One class for all heaps: V8 keeps calls short for objects of few classes, and a program may open many engines. */
export class HeapMatrix implements Owned {
  #view: Float64Array<ArrayBuffer>;
  #buffer: ArrayBufferLike | undefined;

  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly owner: object,
    readonly at: number,
    readonly kind: Kind,
    readonly space: Space,
    numbers = EMPTY,
    /** what is to live as long */
    readonly kept?: Room | ArrayBuffer,
  ) {
    this.#view = numbers;
  }

  /** A growing memory detaches old views, so a new one is made where the buffer has changed. */
  get data(): Float64Array<ArrayBuffer> {
    const { memory, buffer } = this.space;
    if (this.#buffer !== buffer && this.at !== 0) {
      this.#buffer = buffer;
      this.#view = memory ? viewOf(this) : EMPTY;
    }
    return this.#view;
  }
}

function viewOf(M: HeapMatrix): Float64Array<ArrayBuffer> {
  const view = new Float64Array(M.space.buffer as ArrayBuffer, M.at, M.rows * M.cols);
  new Tied(view, M);
  return view;
}

/** The matrix that a view of its numbers keeps alive */
export const { matrixOf } = Tied;
