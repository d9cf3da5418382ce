/**
 * An engine for tests: a host engine whose matrices cannot be read from outside, as on a GPU. Every number that crosses by `read` and `write`
 * is counted, so that a test can say that a run reads no tall matrix.
 */

import type { Engine, Matrix, Operator, Small, Sums, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";

export interface Opaque extends Engine {
  /** numbers of tall and of small matrices that were read or written so far */
  readonly crossings: { tall: number; small: number };
}

export function opaque(inner: Engine): Opaque {
  const owner = { name: "opaque" };
  const crossings = { tall: 0, small: 0 };
  const insides = new WeakMap<object, Matrix>();

  class Hidden {
    readonly owner = owner;
    constructor(
      readonly rows: number,
      readonly cols: number,
      readonly kind: "tall" | "small",
    ) {}
    get data(): Float64Array {
      throw new EngineError(
        `data: this ${this.rows}×${this.cols} matrix of an 'opaque' engine is not in host memory; copy it with read(), or use engine operations.`,
      );
    }
  }

  function make(kind: "tall" | "small", rows: number, cols: number, numbers?: ArrayLike<number>): Hidden {
    if (numbers) crossings[kind] += rows * cols;
    return hidden(kind, inner[kind](rows, cols, numbers));
  }

  function hidden(kind: "tall" | "small", inside: Matrix): Hidden {
    const M = new Hidden(inside.rows, inside.cols, kind);
    insides.set(M, inside);
    return M;
  }

  const cross = (A: Matrix): void => {
    if (A instanceof Hidden) crossings[A.kind] += A.rows * A.cols;
  };

  /** Matrices of this engine, also inside of lists and records, become those of the inner one; everything else stays. */
  function open(x: unknown): unknown {
    if (typeof x !== "object" || x === null) return x;
    if (insides.has(x)) return insides.get(x);
    if (Array.isArray(x)) return x.map(open);
    if ("main" in x) return Object.fromEntries(Object.entries(x).map(([name, d]) => [name, open(d)]));
    return x;
  }

  const forwarded =
    (f: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) =>
      f(...args.map(open));
  const forwardAll = <T extends object>(methods: T): T =>
    Object.fromEntries(
      Object.entries(methods).map(([name, value]) => [name, typeof value === "function" ? forwarded(value) : value]),
    ) as T;

  // what is lent lies in host memory
  const { host: _, ...others } = inner;
  return {
    ...forwardAll(others),
    name: "opaque",
    counters: inner.counters,
    factor: forwardAll(inner.factor),
    operator(A: Parameters<Engine["operator"]>[0]): Operator {
      const inside = inner.operator(open(A) as Parameters<Engine["operator"]>[0]);
      const { main } = inside;
      return { ...forwardAll(inside), ...(main && { main: hidden("tall", main) as Tall }) };
    },
    tall: (rows: number, cols: number, numbers?: ArrayLike<number>) => make("tall", rows, cols, numbers) as Tall,
    small: (rows: number, cols: number, numbers?: ArrayLike<number>) => make("small", rows, cols, numbers) as Small,
    read(A: Matrix, into?: Float64Array): Float64Array {
      const numbers = inner.read(open(A) as Tall, into);
      cross(A);
      return numbers;
    },
    write(A: Matrix, numbers: ArrayLike<number> | (() => number)): void {
      inner.write(open(A) as Tall, numbers);
      cross(A);
    },
    sums(places: number): Sums {
      const inside = inner.sums(places);
      return { ...forwardAll(inside), at: inside.at };
    },
    crossings,
  };
}
