/**
 * NumPy's .npy: a magic string, a one-line header in Python's notation, the numbers.
 * [https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html], versions 1.0 to 3.0.
 */
import { requireMemoryFor } from "../memory/require.js";
import type { Matrix } from "../types.js";
import { DataError, type Loaded } from "./loaded.js";

export interface NpyHeader {
  /** kind and size of one number: f8, i4, b1, … */
  readonly type: string;
  readonly itemSize: number;
  readonly bigEndian: boolean;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** where the numbers begin */
  readonly offset: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const HOST_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Reads of one number of each type. */
const GET: Record<string, (v: DataView, at: number, little: boolean) => number> = {
  f8: (v, at, little) => v.getFloat64(at, little),
  f4: (v, at, little) => v.getFloat32(at, little),
  f2: (v, at, little) => half(v.getUint16(at, little)),
  i8: (v, at, little) => Number(v.getBigInt64(at, little)),
  i4: (v, at, little) => v.getInt32(at, little),
  i2: (v, at, little) => v.getInt16(at, little),
  i1: (v, at) => v.getInt8(at),
  u8: (v, at, little) => Number(v.getBigUint64(at, little)),
  u4: (v, at, little) => v.getUint32(at, little),
  u2: (v, at, little) => v.getUint16(at, little),
  u1: (v, at) => v.getUint8(at),
  b1: (v, at) => v.getUint8(at),
};
const NAMES: Record<string, string> = { f: "float", i: "int", u: "uint", b: "bool" };
const typeName = (type: string): string => (type === "b1" ? "bool" : NAMES[type[0]!]! + Number(type[1]) * 8);

/** The header, or undefined if `bytes` ends before it does (give more). */
export function npyHeader(bytes: Uint8Array): NpyHeader | undefined {
  for (let i = 0; i < Math.min(6, bytes.length); i++) {
    if (bytes[i] !== MAGIC[i]) throw new DataError("this is not a .npy file: it does not begin with \\x93NUMPY.");
  }
  if (bytes.length < 12) return undefined;
  const [major, view] = [bytes[6]!, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)];
  if (major < 1 || major > 3) throw new DataError(`.npy version ${major} is unknown; save with numpy.save.`);
  const begin = major === 1 ? 10 : 12;
  const offset = begin + (major === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (offset > 1 << 20) throw new DataError(`the .npy header claims ${offset} bytes; the file is damaged.`);
  if (bytes.length < offset) return undefined;
  const text = new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(bytes.subarray(begin, offset));
  const descr = /'descr'\s*:\s*'([<>|=])?([a-zA-Z])(\d+)?[^']*'/.exec(text);
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(text);
  const shape = /'shape'\s*:\s*\(([\d,\sL]*)\)/.exec(text);
  if (/'descr'\s*:\s*\[/.test(text)) {
    throw new DataError("the .npy file holds a structured array; save one field of it as a plain array.");
  }
  if (!descr || !fortran || !shape) {
    throw new DataError(`the .npy header cannot be read: '${text.trim().slice(0, 100)}'; save with numpy.save.`);
  }
  const type = descr[2]! + (descr[3] ?? "");
  if (!Object.hasOwn(GET, type)) {
    throw new DataError(
      `the .npy file holds '${descr[2]}${descr[3] ?? ""}' values, which are no real numbers; save .astype(float).`,
    );
  }
  const sizes = shape[1]!
    .split(",")
    .map((s) => s.replace("L", "").trim())
    .filter((s) => s !== "")
    .map(Number);
  return {
    type,
    itemSize: Number(descr[3]),
    bigEndian: descr[1] === ">",
    fortran: fortran[1] === "True",
    shape: sizes,
    offset,
  };
}

/** Takes a file of `length` bytes from its beginning in pieces, so that a large one need not be in memory twice. */
export function npyReader(length: number): { push(bytes: Uint8Array): void; end(): Loaded } {
  let head = new Uint8Array(0);
  let body: ReturnType<typeof npyNumbers> | undefined;
  return {
    push(bytes) {
      if (body) return body.push(bytes);
      const begun = head.length === 0 ? bytes : joined(head, bytes);
      const header = npyHeader(begun);
      if (!header) {
        head = begun.slice();
        return;
      }
      body = npyNumbers(header, length);
      body.push(begun.subarray(header.offset));
    },
    end() {
      if (!body) throw new DataError("the .npy file is cut off inside its header.");
      return body.end();
    },
  };
}

/** Rows and columns of a shape that `bytes` bytes hold */
function checkedShape({ shape, type, itemSize }: NpyHeader, bytes: number): { rows: number; cols: number } {
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
  requireMemoryFor(rows, cols);
  return { rows, cols };
}

/** The numbers of a file of `length` bytes, in pieces of any length */
function npyNumbers(header: NpyHeader, length: number): { push(bytes: Uint8Array): void; end(): Loaded } {
  const { type, itemSize, bigEndian, fortran, shape, offset } = header;
  const { rows, cols } = checkedShape(header, length - offset);
  const count = rows * cols;
  const data = new Float64Array(count);
  const native = type === "f8" && bigEndian !== HOST_LITTLE;
  let at = 0;
  let surplus = 0;
  /** the beginning of a number whose end is in the next piece */
  let begun = new Uint8Array(0);

  function push(bytes: Uint8Array): void {
    if (begun.length > 0) {
      const missing = itemSize - begun.length;
      const number = joined(begun, bytes.subarray(0, missing));
      begun = new Uint8Array(0);
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
    if (at < count) begun = bytes.slice(items * itemSize);
    else surplus += bytes.length - items * itemSize;
  }

  return {
    push,
    end() {
      if (at < count) throw new DataError(`the .npy file is cut off: ${at} of ${count} numbers are there.`);
      const notes: string[] = [];
      if (type !== "f8") notes.push(`${typeName(type)} converted to float64`);
      if ((type === "i8" || type === "u8") && data.some((v) => Math.abs(v) > Number.MAX_SAFE_INTEGER)) {
        notes.push("integers beyond 2^53 rounded");
      }
      if (bigEndian && itemSize > 1) notes.push("big-endian bytes swapped");
      if (shape.length < 2) notes.push(`an array of ${shape.length} dimensions taken for a ${rows}×${cols} matrix`);
      if (surplus > 0) notes.push(`${surplus} bytes after the array ignored`);
      if (!fortran || rows === 1 || cols === 1) return { matrix: { rows, cols, data }, notes };
      notes.push("Fortran order converted to row-major");
      const T = new Float64Array(count);
      for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) T[i * cols + j] = data[j * rows + i]!;
      return { matrix: { rows, cols, data: T }, notes };
    },
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

export function readNpy(bytes: Uint8Array): Loaded {
  const reader = npyReader(bytes.length);
  reader.push(bytes);
  return reader.end();
}

/** The file in two pieces, header and numbers; the numbers are a view of M where the host is little-endian. */
export function npyParts(M: Matrix): [Uint8Array, Uint8Array] {
  const dict = `{'descr': '<f8', 'fortran_order': False, 'shape': (${M.rows}, ${M.cols}), }`;
  const length = Math.ceil((10 + dict.length + 1) / 64) * 64 - 10;
  const head = new Uint8Array(10 + length).fill(0x20);
  head.set([...MAGIC, 1, 0, length & 255, length >> 8]);
  head.set(new TextEncoder().encode(dict), 10);
  head[head.length - 1] = 0x0a;
  if (HOST_LITTLE) return [head, new Uint8Array(M.data.buffer, M.data.byteOffset, M.data.byteLength)];
  const body = new DataView(new ArrayBuffer(M.data.byteLength));
  M.data.forEach((v, i) => {
    body.setFloat64(8 * i, v, true);
  });
  return [head, new Uint8Array(body.buffer)];
}

export function writeNpy(M: Matrix): Uint8Array {
  return joined(...npyParts(M));
}

/** IEEE 754 binary16 */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
