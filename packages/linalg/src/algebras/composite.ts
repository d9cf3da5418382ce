/** Shared parts of engines on engines: composite matrices, and the operations that go part by part */

import type { Chain, Engine, Sums } from "../contracts/engine.js";
import type { Matrix, Small, Tall } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";

/** The operations of an algebra: those of an engine */
export type Operations = Engine;

/** The owner of a composite matrix; `labels`: the names of its parts, "re", "U", for sentences */
export interface Owner {
  readonly name: string;
  readonly labels?: readonly string[];
}

/** A matrix of an algebra, composed of matrices of the engines below it */
export class Composite {
  constructor(
    readonly kind: "tall" | "small",
    readonly rows: number,
    readonly cols: number,
    readonly parts: readonly Matrix[],
    readonly owner: Owner,
    /** the number of entries that `read` returns */
    readonly size: number = parts.reduce((sum, part) => sum + sizeOf(part), 0),
  ) {}

  get data(): Float64Array {
    throw new EngineError(
      `data: this ${this.rows}×${this.cols} matrix of the '${this.owner.name}' algebra is made of others; use its parts.`,
    );
  }
}

/** Casts of a Composite to the types of matrices that callers see */
export const asTall = (M: Composite): Tall => M as unknown as Tall;
export const asSmall = (M: Composite): Small => M as unknown as Small;

/** The parts of a matrix of this owner; throws for any other matrix. */
export function partsOf(M: Matrix, owner: Owner): readonly Matrix[] {
  if (!(M instanceof Composite) || M.owner !== owner) {
    throw new EngineError(
      `${owner.name}: a matrix of another engine is given; copy its numbers with read() and write().`,
    );
  }
  return M.parts;
}

/** The location of number `at` of `read`: row and column of a part, and its name, "U", "Z.re"; "" for a matrix without parts */
export function entryOf(M: Matrix, at: number): { part: string; row: number; column: number } {
  if (!(M instanceof Composite)) return { part: "", row: Math.floor(at / M.cols), column: at % M.cols };
  let first = 0;
  for (const [i, A] of M.parts.entries()) {
    if (at - first < sizeOf(A)) {
      const inside = entryOf(A, at - first);
      return { ...inside, part: [M.owner.labels?.[i], inside.part].filter(Boolean).join(".") };
    }
    first += sizeOf(A);
  }
  throw new EngineError(`entryOf: there is no number ${at}; the matrix has ${M.size}.`);
}

/** Matrices by shape, allocated on first use */
export function cache<T>(make: (rows: number, cols: number) => T): (rows: number, cols: number) => T {
  const matrices = new Map<string, T>();
  return (rows, cols) => {
    const key = `${rows}×${cols}`;
    let M = matrices.get(key);
    if (M === undefined) {
      M = make(rows, cols);
      matrices.set(key, M);
    }
    return M;
  };
}

export function unsupported(algebra: string, op: string): never {
  throw new EngineError(`${op}: the ${algebra} algebra has no such operation; use its parts.`);
}

type OfAllMatrices = "read" | "write" | "dot" | "dots" | "sums" | "copy" | "fill" | "combine" | "combination" | "map";

interface Partwise extends Pick<Engine, OfAllMatrices> {
  each<T extends readonly (Tall | Small)[]>(Ms: readonly [...T], op: (E: Engine, parts: T) => void): void;
}

/** The operations that go part by part in every algebra: vector operations, reading, writing and maps */
export function partwise(owner: Owner, engineOf: (part: number, kind: "tall" | "small") => Engine): Partwise {
  const kindOf = (M: Matrix): "tall" | "small" => (M as unknown as Composite).kind;
  const open = <M extends Matrix>(M: M): readonly M[] => partsOf(M, owner) as readonly M[];
  // a loop, since Array.from took 5 % of the time of long runs
  const partsAt = <M extends Matrix>(Xs: readonly M[], count: number, part: number): M[] => {
    const list: M[] = [];
    for (let k = 0; k < count; k++) list.push(open(Xs[k]!)[part]!);
    return list;
  };
  const each = <T extends readonly (Tall | Small)[]>(Ms: readonly [...T], op: (E: Engine, parts: T) => void): void => {
    const all = Ms.map((M) => partsOf(M, owner));
    for (let i = 0; i < all[0]!.length; i++) {
      op(engineOf(i, kindOf(Ms[0]!)), all.map((parts) => parts[i]!) as readonly Matrix[] as T);
    }
  };
  return {
    each,
    read(A: Tall | Small, into = new Float64Array(sizeOf(A))): Float64Array {
      let at = 0;
      each([A], (E, [a]) => {
        const end = at + sizeOf(a);
        E.read(a, into.subarray(at, end));
        at = end;
      });
      return into;
    },
    write(A: Tall | Small, numbers: ArrayLike<number> | (() => number)): void {
      if (typeof numbers !== "function" && numbers.length !== sizeOf(A)) {
        throw new EngineError(
          `write: A has ${sizeOf(A)} numbers but ${numbers.length} are given; they must be as many.`,
        );
      }
      let at = 0;
      each([A], (E, [a]) => {
        const begin = at;
        at += sizeOf(a);
        E.write(a, typeof numbers === "function" ? numbers : sliced(numbers, begin, at));
      });
    },
    dot<M extends Tall | Small>(X: M, Y: M): number {
      const [xs, ys] = [open(X), open(Y)];
      let sum = 0;
      for (let i = 0; i < xs.length; i++) sum += engineOf(i, kindOf(X)).dot(xs[i]!, ys[i]!);
      return sum;
    },
    dots<M extends Tall | Small>(r: Float64Array, Xs: readonly M[], length: number, Y: M): void {
      const ys = open(Y);
      const part = new Float64Array(length);
      r.fill(0, 0, length);
      for (let i = 0; i < ys.length; i++) {
        engineOf(i, kindOf(Y)).dots(part, partsAt(Xs, length, i), length, ys[i]!);
        for (let k = 0; k < length; k++) r[k]! += part[k]!;
      }
    },
    /** of each part, added up when they have arrived */
    sums(places: number): Sums {
      const at = new Float64Array(places);
      const ofParts: Sums[] = [];
      const ofPart = (i: number): Sums => (ofParts[i] ??= engineOf(i, "tall").sums(places));
      return {
        at,
        dot(place, X, Y) {
          const [xs, ys] = [open(X), open(Y)];
          for (let i = 0; i < xs.length; i++) ofPart(i).dot(place, xs[i]!, ys[i]!);
        },
        dots(first, Xs, count, Y) {
          const ys = open(Y);
          for (let i = 0; i < ys.length; i++) ofPart(i).dots(first, partsAt(Xs, count, i), count, ys[i]!);
        },
        arrive() {
          for (const part of ofParts) part.arrive();
          at.fill(0);
          for (const part of ofParts) for (let k = 0; k < places; k++) at[k]! += part.at[k]!;
        },
      };
    },
    copy<M extends Tall | Small>(Y: M, X: M): void {
      const [ys, xs] = [open(Y), open(X)];
      for (let i = 0; i < ys.length; i++) engineOf(i, kindOf(Y)).copy(ys[i]!, xs[i]!);
    },
    fill: (Y: Tall | Small, a: number): void => each([Y], (E, [y]) => E.fill(y, a)),
    combine<M extends Tall | Small>(Z: M, a: number, X: M, b: number, Y: M): void {
      const [zs, xs, ys] = [open(Z), open(X), open(Y)];
      for (let i = 0; i < zs.length; i++) engineOf(i, kindOf(Z)).combine(zs[i]!, a, xs[i]!, b, ys[i]!);
    },
    combination<M extends Tall | Small>(Z: M, c: Float64Array, Xs: readonly M[], length: number, b = 0): void {
      const zs = open(Z);
      for (let i = 0; i < zs.length; i++) {
        engineOf(i, kindOf(Z)).combination(zs[i]!, c, partsAt(Xs, length, i), length, b);
      }
    },
    map<M extends Tall | Small>(outputs: readonly M[], chain: Chain, inputs: readonly M[]): number {
      let sum = 0;
      each([...outputs, ...inputs], (E, Ms) => {
        sum += E.map(Ms.slice(0, outputs.length), chain, Ms.slice(outputs.length));
      });
      return sum;
    },
  };
}

/** The number of entries of a matrix, which may be a composite itself */
const sizeOf = (A: Matrix): number => A.size ?? A.rows * A.cols;

/** A view of a typed array, a copy of another list */
const sliced = (numbers: ArrayLike<number>, begin: number, end: number): ArrayLike<number> =>
  numbers instanceof Float64Array ? numbers.subarray(begin, end) : Array.prototype.slice.call(numbers, begin, end);
