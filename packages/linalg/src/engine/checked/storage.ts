/** Allocation, reading and writing of matrices */

import type { Engine } from "../../contracts/engine.js";
import type { Matrix, Small, Tall } from "../../contracts/matrix.js";
import { EngineError } from "../../errors.js";
import { shape } from "../checks.js";
import type { Kind, Memory, Owned } from "../kernels.js";
import type { Base } from "./given.js";

export function storage(
  { own, counters }: Base,
  memory: Memory,
  owner: object,
): Pick<Engine, "tall" | "small" | "host" | "read" | "write"> {
  const { lend } = memory;

  function allocate(kind: Kind, rows: number, cols: number, numbers?: ArrayLike<number>): Owned {
    expectSize(kind, "rows", rows);
    expectSize(kind, "cols", cols);
    if (numbers) expectCount(kind, rows, cols, numbers);
    // a part of a larger buffer may lie in a WebAssembly memory, whose growth detaches it
    const part = ArrayBuffer.isView(numbers) && numbers.byteLength < numbers.buffer.byteLength;
    const source = part ? Float64Array.from(numbers) : numbers;
    counters.matrices++;
    const A = memory.allocate(rows, cols, owner, kind);
    if (source) memory.write(A, source);
    return A;
  }

  function put(A: Tall, B: Tall, at: number): void {
    const [x, y] = [own(A, "put", "A").data, own(B, "put", "B").data];
    const [width, cols] = [A.cols, B.cols];
    if (A.rows !== B.rows || !(Number.isInteger(at) && at >= 0 && at + cols <= width)) {
      throw new EngineError(`put: B is ${shape(B)} and does not fit into A, ${shape(A)}, from column ${at} on.`);
    }
    // column by column: a loop over the few entries of a row takes longer than to return to its cache line
    for (let j = 0; j < cols; j++) {
      for (let from = j, to = at + j; from < y.length; from += cols, to += width) x[to] = y[from]!;
    }
    counters.entries += y.length;
  }

  return {
    tall: (rows, cols, numbers) => allocate("tall", rows, cols, numbers) as Owned & Tall,
    small: (rows, cols, numbers) => allocate("small", rows, cols, numbers) as Owned & Small,

    ...(lend && {
      host: {
        lend({ rows, cols, data }: Matrix) {
          expectCount("lend", rows, cols, data);
          return lend(rows, cols, owner, "tall", data) as Owned & Tall;
        },
        put,
      },
    }),

    read(A: Matrix, into = new Float64Array(A.rows * A.cols)) {
      const x = own(A, "read", "A");
      if (into.length < A.rows * A.cols) {
        throw new EngineError(`read: A is ${shape(A)} but there is room for ${into.length} numbers only.`);
      }
      memory.read(x, into);
      return into;
    },

    write(A, numbers) {
      const x = own(A, "write", "A");
      if (typeof numbers !== "function") expectCount("write", A.rows, A.cols, numbers);
      memory.write(x, numbers);
    },
  };
}

function expectSize(kind: Kind, what: string, size: number): void {
  if (Number.isInteger(size) && size >= 0) return;
  throw new EngineError(`${kind}: ${what} is ${size}; it must be a whole number, 0 or more.`);
}

function expectCount(op: string, rows: number, cols: number, numbers: ArrayLike<number>): void {
  const count = numbers?.length;
  if (count === rows * cols) return;
  const advice = count === 0 ? "they must be as many (is their buffer detached?)" : "they must be as many";
  throw new EngineError(`${op}: A is ${rows}×${cols} but ${count} numbers are given; ${advice}.`);
}
