/** The header of NumPy's .npy, and the types of numbers that are known. */
import { DataError } from "./loaded.js";

export interface NpyHeader {
  /** kind and size of one number: f8, i4, b1, c16, … */
  readonly type: string;
  readonly itemSize: number;
  readonly bigEndian: boolean;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** the byte where the numbers begin */
  readonly offset: number;
}

/** the first bytes of every .npy file */
export const MAGIC: readonly number[] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY

/** Readers of one number, by type */
export const GET: Record<string, (v: DataView, at: number, little: boolean) => number> = {
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
/** Complex numbers are two of these, real part first. */
export const HALF: Record<string, string> = { c16: "f8", c8: "f4" };
const NAMES: Record<string, string> = { f: "float", i: "int", u: "uint", b: "bool", c: "complex" };
export const typeName = (type: string): string =>
  type === "b1" ? "bool" : NAMES[type[0]!]! + Number(type.slice(1)) * 8;

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
  if (!Object.hasOwn(GET, type) && !Object.hasOwn(HALF, type)) {
    throw new DataError(
      `the .npy file holds '${descr[2]}${descr[3] ?? ""}' values, which are no numbers; save .astype(float).`,
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

/** IEEE 754 binary16 */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
