/** A matrix in the one linear memory of its heap. */
import type { Kind, Owned } from "@expen/linalg/engine";

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
export class Tied extends itself {
  readonly #matrix: Owned;

  constructor(view: Float64Array, matrix: Owned) {
    super(view);
    this.#matrix = matrix;
  }

  static matrixOf(view: Float64Array): Owned | undefined {
    return #matrix in view ? (view as unknown as Tied).#matrix : undefined;
  }
}

/** What matrices ask of their heap: the buffer of its memory at present, empty when the engine is disposed of */
export interface Home {
  buffer: ArrayBufferLike;
}

/** One class for the matrices of all engines: code that was compiled for one of them serves the next. */
export class HeapMatrix implements Owned {
  #view: Float64Array<ArrayBuffer>;
  #buffer: ArrayBufferLike | undefined;
  readonly #home: Home;
  readonly lent: boolean;

  constructor(
    home: Home,
    readonly rows: number,
    readonly cols: number,
    readonly owner: object,
    readonly at: number,
    readonly kind: Kind,
    numbers = EMPTY,
    /** what is to live as long */
    readonly kept?: Room | ArrayBuffer,
  ) {
    this.#home = home;
    this.#view = numbers;
    this.lent = numbers !== EMPTY;
  }

  /** A growing memory detaches old views, so a new one is made where the buffer has changed. */
  get data(): Float64Array<ArrayBuffer> {
    const { buffer } = this.#home;
    if (this.#buffer !== buffer && this.at !== 0) {
      this.#buffer = buffer;
      this.#view = buffer.byteLength > 0 ? this.#viewOf(buffer as ArrayBuffer) : EMPTY;
    }
    return this.#view;
  }

  #viewOf(buffer: ArrayBuffer): Float64Array<ArrayBuffer> {
    const view = new Float64Array(buffer, this.at, this.rows * this.cols);
    new Tied(view, this);
    return view;
  }
}
