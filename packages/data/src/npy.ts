/**
 * NumPy's .npy: a magic string, a one-line header in Python's notation, the numbers.
 * [https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html], versions 1.0 to 3.0.
 */

import type { Matrix } from "@expen/linalg";
import { transposed } from "@expen/linalg/arrays";
import { requireMemoryFor } from "@expen/linalg/memory";
import { type ComplexPair, DataError, type Loaded } from "./loaded.js";
import { GET, HALF, MAGIC, type NpyHeader, npyHeader, typeName } from "./npy-header.js";

const HOST_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

interface NpyReader<M> {
  push(bytes: Uint8Array): void;
  end(): Loaded<M>;
}

/** `npyReaderOfAny` that throws for complex numbers */
export function npyReader(length: number): NpyReader<Matrix> {
  const reader = npyReaderOfAny(length);
  return {
    push: reader.push,
    end() {
      const { matrix, notes } = reader.end();
      return { matrix: requireReal(matrix), notes };
    },
  };
}

export function requireReal<M extends object>(M: M | ComplexPair): M {
  if (!("re" in M)) return M;
  throw new DataError("the file holds complex numbers, real ones are wanted; save .real, or minimise over complex X.");
}

/** Reads a file of `length` bytes in pieces, so that a large one need not be in memory twice. */
export function npyReaderOfAny(length: number): NpyReader<Matrix | ComplexPair> {
  let head = new Uint8Array(0);
  let body: NpyReader<Matrix | ComplexPair> | undefined;
  return {
    push(bytes) {
      if (body) return body.push(bytes);
      const partial = head.length === 0 ? bytes : joined(head, bytes);
      const header = npyHeader(partial);
      if (!header) {
        head = partial.slice();
        return;
      }
      body = npyNumbers(header, length);
      body.push(partial.subarray(header.offset));
    },
    end() {
      if (!body) throw new DataError("the .npy file is cut off inside its header.");
      return body.end();
    },
  };
}

/** Rows and columns of a shape; throws unless its numbers take `bytes` bytes. */
export function checkedShape({ shape, type, itemSize }: NpyHeader, bytes: number): { rows: number; cols: number } {
  const sizes = shape.join("×");
  if (shape.length > 2) {
    throw new DataError(`the .npy array has ${shape.length} dimensions (${sizes.slice(0, 60)}); reshape it to two.`);
  }
  if (!shape.every(Number.isSafeInteger)) throw new DataError(`the .npy header says ${sizes}; the file is damaged.`);
  const [rows, cols] = [shape[0] ?? 1, shape[1] ?? 1];
  if (rows * cols * itemSize > bytes) {
    throw new DataError(
      `the .npy file is cut off: ${sizes} ${typeName(type)} need ${rows * cols * itemSize} bytes, there are ${bytes}.`,
    );
  }
  return { rows, cols };
}

/** Reads the numbers of a file of `length` bytes, after its header, in pieces of any length. */
export function npyNumbers(header: NpyHeader, length: number): NpyReader<Matrix | ComplexPair> {
  const { bigEndian, fortran, shape, offset } = header;
  const { rows, cols } = checkedShape(header, length - offset);
  requireMemoryFor(rows, cols, header.type in HALF ? 4 : 1);
  const complex = header.type in HALF;
  const [type, itemSize] = complex ? [HALF[header.type]!, header.itemSize / 2] : [header.type, header.itemSize];
  const count = (complex ? 2 : 1) * rows * cols;
  const data = new Float64Array(count);
  const native = type === "f8" && bigEndian !== HOST_LITTLE;
  let at = 0;
  let surplus = 0;
  /** the first bytes of a number that continues in the next piece */
  let partial = new Uint8Array(0);

  function push(bytes: Uint8Array): void {
    if (partial.length > 0) {
      const missing = itemSize - partial.length;
      const number = joined(partial, bytes.subarray(0, missing));
      partial = new Uint8Array(0);
      take(number);
      if (bytes.length > missing) take(bytes.subarray(missing));
    } else take(bytes);
  }

  function take(bytes: Uint8Array): void {
    const items = Math.min(count - at, Math.floor(bytes.length / itemSize));
    if (native) new Uint8Array(data.buffer, at * 8, items * 8).set(bytes.subarray(0, items * 8));
    else {
      const get = GET[type]!;
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let k = 0; k < items; k++) data[at + k] = get(view, k * itemSize, !bigEndian);
    }
    at += items;
    if (at < count) partial = bytes.slice(items * itemSize);
    else surplus += bytes.length - items * itemSize;
  }

  return {
    push,
    end() {
      if (at < count) throw new DataError(`the .npy file is cut off: ${at} of ${count} numbers are there.`);
      const notes: string[] = [];
      const dtype = complex ? "complex128" : "float64";
      if (type !== "f8") notes.push(`${typeName(header.type)} converted to ${dtype}`);
      if ((type === "i8" || type === "u8") && data.some((v) => Math.abs(v) > Number.MAX_SAFE_INTEGER)) {
        notes.push("integers beyond 2^53 rounded");
      }
      if (bigEndian && itemSize > 1) notes.push("big-endian bytes swapped");
      if (shape.length < 2) notes.push(`an array of ${shape.length} dimensions taken for a ${rows}×${cols} matrix`);
      if (surplus > 0) notes.push(`${surplus} bytes after the array ignored`);
      const turned = fortran && rows > 1 && cols > 1;
      if (turned) notes.push("Fortran order converted to row-major");
      const every = (step: number, first: number): Matrix => ({ rows, cols, data: picked(data, step, first) });
      const rowMajor = ({ data }: Matrix): Matrix => ({
        rows,
        cols,
        data: turned ? transposed(data, cols, rows) : data,
      });
      if (!complex) return { matrix: rowMajor({ rows, cols, data }), notes };
      return { matrix: { re: rowMajor(every(2, 0)), im: rowMajor(every(2, 1)) }, notes };
    },
  };
}

/** Numbers `first`, `first + step`, … */
function picked(data: Float64Array, step: number, first: number): Float64Array {
  const some = new Float64Array(data.length / step);
  for (let k = 0; k < some.length; k++) some[k] = data[step * k + first]!;
  return some;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The real matrix in the bytes of a .npy file */
export function readNpy(bytes: Uint8Array): Loaded {
  const reader = npyReader(bytes.length);
  reader.push(bytes);
  return reader.end();
}

/** The file in two pieces, header and numbers; the numbers are a view of a real M where the host is little-endian. */
export function npyParts(M: Matrix | ComplexPair): [Uint8Array, Uint8Array] {
  if (!("re" in M)) return parts("<f8", M);
  const { rows, cols } = M.re;
  const data = new Float64Array(2 * rows * cols);
  for (let k = 0; k < rows * cols; k++) {
    data[2 * k] = M.re.data[k]!;
    data[2 * k + 1] = M.im.data[k]!;
  }
  return parts("<c16", { rows, cols, data });
}

const parts = (descr: string, M: Matrix): [Uint8Array, Uint8Array] => [npyHead(descr, M), npyBytes(M)];

/** The file of a real matrix from consecutive blocks of rows */
export function* npyOfRows(shape: Pick<Matrix, "rows" | "cols">, blocks: Iterable<Matrix>): Generator<Uint8Array> {
  yield npyHead("<f8", shape);
  for (const block of blocks) yield npyBytes(block);
}

function npyHead(descr: string, { rows, cols }: Pick<Matrix, "rows" | "cols">): Uint8Array {
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  const length = Math.ceil((10 + dict.length + 1) / 64) * 64 - 10;
  const head = new Uint8Array(10 + length).fill(0x20);
  head.set([...MAGIC, 1, 0, length & 255, length >> 8]);
  head.set(new TextEncoder().encode(dict), 10);
  head[head.length - 1] = 0x0a;
  return head;
}

function npyBytes({ data }: Matrix): Uint8Array {
  if (HOST_LITTLE) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const body = new DataView(new ArrayBuffer(data.byteLength));
  data.forEach((v, i) => {
    body.setFloat64(8 * i, v, true);
  });
  return new Uint8Array(body.buffer);
}

export function writeNpy(M: Matrix | ComplexPair): Uint8Array {
  return joined(...npyParts(M));
}
