/** A matrix in the one linear memory of its heap. */
import type { Kind, Owned } from "@expen/linalg/engine";

export const EMPTY: Float64Array<ArrayBuffer> = new Float64Array(0);

/** A part of the memory for small matrices, each of which keeps it alive. From `at` on it is free, and zero. */
export interface Room {
  at: number;
  readonly end: number;
  readonly weight: ArrayBuffer;
}

/** A constructor that returns its argument, so that a subclass puts its private fields on it; an arrow function cannot be extended. */
const Identity = function identity(view: Float64Array) {
  return view;
} as unknown as new (
  view: Float64Array,
) => object;

/**
 * Lets a view keep its matrix, and so its space, alive; a `subarray` of the view does not. The matrix is a private field on the view
 * itself: an entry in a WeakMap takes five times as long, and the collector has to process it in each cycle.
 */
export class Tied extends Identity {
  readonly #matrix: Owned;

  constructor(view: Float64Array, matrix: Owned) {
    super(view);
    this.#matrix = matrix;
  }

  static matrixOf(view: Float64Array): Owned | undefined {
    return #matrix in view ? (view as unknown as Tied).#matrix : undefined;
  }
}

/** The present buffer of the memory of a heap; empty after `dispose` */
export interface Home {
  buffer: ArrayBufferLike;
}

/** One class for the matrices of all engines, so that compiled code serves every engine. */
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
    numbers: Float64Array<ArrayBuffer> = EMPTY,
    /** an object that must live as long as the matrix */
    readonly companion?: Room | ArrayBuffer | undefined,
  ) {
    this.#home = home;
    this.#view = numbers;
    this.lent = numbers !== EMPTY;
  }

  /** When the memory grows, its old views are detached; the next access makes a new view. */
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
