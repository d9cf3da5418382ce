import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { type ComplexPair, DataError } from "../src/loaded.js";
import { npyReader, npyReaderOfAny, readNpy, writeNpy } from "../src/npy.js";
import { npyHeader } from "../src/npy-header.js";
import { readNpz, writeNpz } from "../src/npz.js";

/** A file as numpy.save writes it. */
function npy(descr: string, fortran: boolean, shape: string, body: Uint8Array, version = 1): Uint8Array {
  const dict = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${shape}, }`;
  const begin = version === 1 ? 10 : 12;
  const length = Math.ceil((begin + dict.length + 1) / 64) * 64 - begin;
  const text = new TextEncoder().encode(`${dict.padEnd(length - 1)}\n`);
  const size = version === 1 ? [length & 255, length >> 8] : [length & 255, length >> 8, 0, 0];
  return Uint8Array.from([0x93, ...new TextEncoder().encode("NUMPY"), version, 0, ...size, ...text, ...body]);
}

/** The bytes of numbers in that type and order. */
function bytes(values: number[], size: number, set: (v: DataView, at: number, x: number) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * size));
  values.forEach((x, i) => {
    set(view, i * size, x);
  });
  return new Uint8Array(view.buffer);
}

const f8 = bytes([1, 2, 3, 4, 5, 6], 8, (v, at, x) => v.setFloat64(at, x, true));
const list = (file: Uint8Array): number[] => Array.from(readNpy(file).matrix.data);

describe(".npy", () => {
  test("complex numbers are real and imaginary parts in turn, in any order of rows, and are written alike", () => {
    // [[1 + 2i, 3 + 4i, 5 + 6i]], and [[1 + 2i, 5 + 6i], [3 + 4i, 7 + 8i]] column by column
    const eight = bytes([1, 2, 3, 4, 5, 6, 7, 8], 8, (v, at, x) => v.setFloat64(at, x, true));
    const single = bytes([1, 2, 3, 4, 5, 6], 4, (v, at, x) => v.setFloat32(at, x, false));
    const read = (file: Uint8Array, cut = file.length) => {
      const reader = npyReaderOfAny(file.length);
      reader.push(file.subarray(0, cut));
      reader.push(file.subarray(cut));
      const { matrix, notes } = reader.end();
      const { re, im } = matrix as ComplexPair;
      return { re: [...re.data], im: [...im.data], shape: [re.rows, re.cols, im.rows, im.cols], notes };
    };
    const row = { re: [1, 3, 5], im: [2, 4, 6], shape: [1, 3, 1, 3] };
    const file = npy("<c16", false, "(1, 3)", f8);
    expect(read(file)).toEqual({ ...row, notes: [] });
    for (const cut of [129, 137, 145]) expect(read(file, cut)).toEqual({ ...row, notes: [] });
    const notes = ["complex64 converted to complex128", "big-endian bytes swapped"];
    expect(read(npy(">c8", false, "(1, 3)", single))).toEqual({ ...row, notes });
    const fortran = read(npy("<c16", true, "(2, 2)", eight));
    expect(fortran).toMatchObject({ re: [1, 5, 3, 7], im: [2, 6, 4, 8] });
    const [re, im] = [row.re, row.im].map((x) => ({ rows: 1, cols: 3, data: Float64Array.from(x) }));
    expect(read(writeNpy({ re: re!, im: im! }))).toEqual({ ...row, notes: [] });
    expect(() => read(file.subarray(0, -1))).toThrow(/cut off: 1×3 complex128 need 48 bytes, there are 47/);
  });

  test("what is written is read, bit by bit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 }),
        fc.integer({ min: 0, max: 7 }),
        fc.infiniteStream(fc.double()),
        (rows, cols, s) => {
          const data = Float64Array.from({ length: rows * cols }, () => s.next().value as number);
          const { matrix, notes } = readNpy(writeNpy({ rows, cols, data }));
          expect([matrix.rows, matrix.cols, notes]).toEqual([rows, cols, []]);
          expect(new Uint8Array(matrix.data.buffer)).toEqual(new Uint8Array(data.buffer));
        },
      ),
      { seed: 1 },
    );
  });

  test("the header is the one numpy.save writes", () => {
    const file = writeNpy({ rows: 2, cols: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) });
    expect(file).toEqual(npy("<f8", false, "(2, 3)", f8));
    expect(npyHeader(file)!.offset % 64).toBe(0);
  });

  test("a view of a larger buffer", () => {
    const file = npy("<f8", false, "(2, 3)", f8);
    const shifted = new Uint8Array(file.length + 3);
    shifted.set(file, 3);
    expect(list(shifted.subarray(3))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("Fortran order, big-endian, versions 2 and 3", () => {
    const { matrix, notes } = readNpy(npy("<f8", true, "(2, 3)", f8));
    expect(Array.from(matrix.data)).toEqual([1, 3, 5, 2, 4, 6]);
    expect(notes).toEqual(["Fortran order converted to row-major"]);
    const big = bytes([1.5, -2], 8, (v, at, x) => v.setFloat64(at, x, false));
    expect(readNpy(npy(">f8", false, "(1, 2)", big))).toEqual({
      matrix: { rows: 1, cols: 2, data: Float64Array.of(1.5, -2) },
      notes: ["big-endian bytes swapped"],
    });
    for (const version of [2, 3]) expect(list(npy("<f8", false, "(2, 3)", f8, version))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each([
    ["<f4", 4, [1.5, -2, 1e30], "float32", (v, at, x) => v.setFloat32(at, x, true)],
    [">f4", 4, [1.5, -2, 0], "float32", (v, at, x) => v.setFloat32(at, x, false)],
    ["<i4", 4, [1, -2, 2 ** 31 - 1], "int32", (v, at, x) => v.setInt32(at, x, true)],
    [">i2", 2, [1, -2, 300], "int16", (v, at, x) => v.setInt16(at, x, false)],
    ["|u1", 1, [1, 2, 255], "uint8", (v, at, x) => v.setUint8(at, x)],
    ["|i1", 1, [1, -2, 127], "int8", (v, at, x) => v.setInt8(at, x)],
    ["|b1", 1, [1, 0, 1], "bool", (v, at, x) => v.setUint8(at, x)],
    ["<u2", 2, [1, 2, 65535], "uint16", (v, at, x) => v.setUint16(at, x, true)],
    ["<u4", 4, [1, 2, 2 ** 32 - 1], "uint32", (v, at, x) => v.setUint32(at, x, true)],
    ["<i8", 8, [1, -2, 2 ** 40], "int64", (v, at, x) => v.setBigInt64(at, BigInt(x), true)],
    ["<u8", 8, [1, 2, 2 ** 40], "uint64", (v, at, x) => v.setBigUint64(at, BigInt(x), true)],
  ] as [string, number, number[], string, (v: DataView, at: number, x: number) => void][])(
    "%s is converted with a word",
    (descr, size, values, name, set) => {
      const { matrix, notes } = readNpy(npy(descr, false, "(3, 1)", bytes(values, size, set)));
      expect(Array.from(matrix.data)).toEqual(values.map((x) => (name === "float32" ? Math.fround(x) : x)));
      expect(notes[0]).toBe(`${name} converted to float64`);
    },
  );

  test("half precision: 1, −2, the smallest subnormal, the largest, infinity, NaN", () => {
    const half = bytes([0x3c00, 0xc000, 0x0001, 0x7bff, 0xfc00, 0x7e00], 2, (v, at, x) => v.setUint16(at, x, true));
    expect(list(npy("<f2", false, "(2, 3)", half))).toEqual([1, -2, 2 ** -24, 65504, -Infinity, Number.NaN]);
  });

  test("integers beyond 2^53, one and no dimension, bytes too many are mentioned", () => {
    const large = bytes([2 ** 60], 8, (v, at, x) => v.setBigInt64(at, BigInt(x), true));
    expect(readNpy(npy("<i8", false, "(1, 1)", large)).notes).toContain("integers beyond 2^53 rounded");
    const { matrix, notes } = readNpy(npy("<f8", false, "(6,)", f8));
    expect([matrix.rows, matrix.cols]).toEqual([6, 1]);
    expect(notes[0]).toMatch(/1 dimensions taken for a 6×1/);
    expect(readNpy(npy("<f8", false, "()", f8.slice(0, 8))).matrix.data).toEqual(Float64Array.of(1));
    expect(readNpy(npy("<f8", false, "(1, 2)", f8)).notes).toEqual(["32 bytes after the array ignored"]);
  });

  test.each([1, 5, 16, 130])("a file may come in pieces of %i bytes", (step) => {
    const file = npy("<f8", true, "(2, 3)", f8);
    const reader = npyReader(file.length);
    for (let at = 0; at < file.length; at += step) reader.push(file.subarray(at, at + step));
    expect(Array.from(reader.end().matrix.data)).toEqual([1, 3, 5, 2, 4, 6]);
  });

  test.each([
    ["another file", new TextEncoder().encode("hello world, this is text"), /not a \.npy file/],
    ["nothing", new Uint8Array(0), /cut off inside its header/],
    ["half a header", npy("<f8", false, "(2, 3)", f8).slice(0, 40), /cut off inside its header/],
    [
      "too few numbers",
      npy("<f8", false, "(2, 3)", f8).slice(0, -9),
      /cut off: 2×3 float64 need 48 bytes, there are 39/,
    ],
    ["three dimensions", npy("<f8", false, "(1, 2, 3)", f8), /3 dimensions \(1×2×3\)/],
    ["text", npy("<U4", false, "(1, 3)", f8), /'U4' values, which are no numbers/],
    ["complex", npy("<c16", false, "(1, 1)", new Uint8Array(16)), /holds complex numbers, real ones are wanted/],
    ["objects", npy("|O", false, "(1, 3)", f8), /'O' values/],
    ["a later version", npy("<f8", false, "(2, 3)", f8, 9), /version 9/],
    ["more than the file", npy("<f8", false, "(4000000, 4000000)", f8), /need 128000000000000 bytes, there are 48/],
    [
      "a product beyond all sizes",
      npy("<f8", false, "(9007199254740991, 9007199254740991)", f8),
      /need 6\.\d*e\+32 bytes/,
    ],
    ["a size beyond all sizes", npy("<f8", false, "(0, 9007199254740993)", f8), /the file is damaged/],
    ["a negative size", npy("<f8", false, "(-2, -3)", f8), /header cannot be read/],
  ])("%s is refused in a sentence", (_, file, words) => {
    expect(() => readNpy(file)).toThrow(DataError);
    expect(() => readNpy(file)).toThrow(words);
  });

  test("a structured array is refused", () => {
    const file = String.fromCharCode(...npy("<f8", false, "(1, 3)", f8)).replace("'<f8'", "[('x', '<f8')]");
    expect(() => readNpy(Uint8Array.from(file, (c) => c.charCodeAt(0)))).toThrow(/structured array/);
  });
});

describe(".npz", () => {
  // made with Python's zipfile as numpy.savez_compressed does (deflate, forced zip64): a = [[1,2,3],[4,5,6]], b = big-endian float32 in Fortran order
  const archive = Uint8Array.from(
    atob(
      "UEsDBC0AAAAIAAAAIQA5cQna//////////8FABQAYS5ucHkBABAAsAAAAAAAAABaAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CsaaOgq1CmQDLgYw+GAPoRkcIBQHlBaA0iJQWsIBAFBLAwQtAAAACAAAACEAuIiIQP//////////BQAUAGIubnB5AQAQAJAAAAAAAAAAUQAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBul2airqOgnpZfVFKUmBefX5SSChIPKSpNBQoXZyQWpAK5GkY6CkaaOgq1CuQDLvsGBgYHBiAGEg5ANgBQSwECLQMtAAAACAAAACEAOXEJ2loAAACwAAAABQAAAAAAAAAAAAAAgAEAAAAAYS5ucHlQSwECLQMtAAAACAAAACEAuIiIQFEAAACQAAAABQAAAAAAAAAAAAAAgAGRAAAAYi5ucHlQSwUGAAAAAAIAAgBmAAAAGQEAAAAA",
    ),
    (c) => c.charCodeAt(0),
  );

  test("an archive made elsewhere", () => {
    expect(readNpz(archive, "a").matrix).toEqual({ rows: 2, cols: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) });
    const { matrix, notes } = readNpz(archive, "b");
    expect(Array.from(matrix.data)).toEqual([1, 3, 2, 4]);
    expect(notes).toEqual([
      "float32 converted to float64",
      "big-endian bytes swapped",
      "Fortran order converted to row-major",
    ]);
  });

  test("round trip, the same bytes every time", () => {
    const X = { rows: 2, cols: 2, data: Float64Array.of(1, -0, Number.NaN, 4) };
    expect(readNpz(writeNpz({ X })).matrix.data).toEqual(X.data);
    expect(writeNpz({ X })).toEqual(writeNpz({ X }));
  });

  test("a wrong name, several arrays, a part of an archive", () => {
    expect(() => readNpz(archive)).toThrow(/holds a, b; name one/);
    expect(() => readNpz(archive, "c")).toThrow(/no array 'c'; it holds a, b/);
    expect(() => readNpz(archive.slice(0, 300), "a")).toThrow(DataError);
    expect(() => readNpz(writeNpz({}))).toThrow(/no array/);
  });

  test("a changed number is seen by the check sum", () => {
    const file = writeNpz({ X: { rows: 1, cols: 2, data: Float64Array.of(1, 2) } });
    const at = file.findIndex((_, k) => file[k] === 0x93) + 128;
    file[at]! ^= 1;
    expect(() => readNpz(file)).toThrow(/the check sum of 'X\.npy' is wrong/);
  });

  test("a bomb ends in a sentence, and what it announces is not taken", () => {
    const zeros = new Uint8Array(2 ** 22);
    const announcing = (shape: string): Uint8Array => {
      zeros.set(npy("<f8", false, shape, new Uint8Array(0)));
      return zipSync({ "X.npy": zeros }, { level: 9 });
    };
    const bomb = announcing("(1, 524272)");
    expect(bomb.length).toBeLessThan(2 ** 13);
    expect(readNpz(bomb).matrix.cols).toBe(524272);
    expect(() => readNpz(announcing("(4000000, 4000000)"))).toThrow(/cut off: 4000000×4000000/);
    // sizes of the directory: in 8 bytes behind the first entry's head
    const view = new DataView(bomb.buffer);
    const central = view.getUint32(bomb.length - 6, true);
    view.setUint32(central + 24, 2 ** 31, true);
    expect(() => readNpz(bomb)).toThrow(/packed bytes cannot hold the 2147483648 that it announces/);
    view.setUint32(central + 24, 1000, true);
    expect(() => readNpz(bomb)).toThrow(DataError);
    vi.stubEnv("EXPEN_MEMORY", "0.001");
    expect(() => readNpz(announcing("(1, 524272)"))).toThrow(/need 4\.19 MB but EXPEN_MEMORY allows 1\.00 MB/);
    vi.unstubAllEnvs();
  });
});
