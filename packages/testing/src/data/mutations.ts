/** Damaged files, made from good ones: every one must end in a matrix or in one sentence that names the file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { csvText, DataError, jsonText, loadOperator, matrixMarketText, writeNpy, writeNpz } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { gaussian, type Random, random, type Sparse } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { MemoryError } from "@expen/linalg/memory";
import { deflateSync, zipSync } from "fflate";

export type Format = "npy" | "npz" | "csv" | "mtx" | "json";
export const formats: readonly Format[] = ["npy", "npz", "csv", "mtx", "json"];

export interface Mutations {
  format: Format;
  tried: number;
  matrices: number;
  sentences: number;
  /** what was neither, in words */
  failures: string[];
}

/** A file that takes more of the processor is one that hangs, ms. */
const SLOW = 1000;
/** Bytes that a reader may take beside twice the file and its matrix, whatever they are: rows of a sparse matrix that are empty. */
const ALLOWANCE = 2 ** 24;

/** of entries of archives: the same bytes every time */
const DATE = new Date(1980, 0, 1);

const text = (pieces: Iterable<string>): Uint8Array => new TextEncoder().encode([...pieces].join(""));

/** Good files to begin with */
function seeds(format: Format): Uint8Array[] {
  const r = random(1, "mutations");
  const M = gaussian(6, 3, r);
  const square = gaussian(4, 4, r);
  const sparse = sparseFromTriplets(9, 9, [0, 1, 1, 3, 8], [0, 0, 2, 3, 8], [1, 2, 3, 4, -1.5e-3]);
  const header = (from: string, to: string): Uint8Array => replaced(writeNpy(M), from, to);
  switch (format) {
    case "npy":
      return [
        writeNpy(M),
        header("False", "True "),
        header("<f8", ">f8"),
        header("'<f8'", "'<i8'"),
        header("'<f8'", "'<f4'"),
        header("(6, 3)", "(18,) "),
      ];
    case "npz":
      return [
        writeNpz({ X: M }),
        zipSync({ "X.npy": writeNpy({ rows: 40, cols: 5, data: new Float64Array(200) }) }, { level: 9, mtime: DATE }),
        zipSync({ "X.npy": writeNpy(M), "readme.txt": deflateSync(writeNpy(square)) }, { level: 6, mtime: DATE }),
        zip64(writeNpy(M)),
      ];
    case "csv":
      return [
        text(csvText(M)),
        text(csvText(M, ";")),
        text(["# made by hand\n", '"a ""b""","c,\nd",e\n', ...csvText(M)]),
        text(["1,5;2\nnan;-inf\n"]),
      ];
    case "mtx":
      return [
        text(matrixMarketText(M)),
        text(matrixMarketText(sparse)),
        text(["%%MatrixMarket matrix array real symmetric\n% note\n3 3\n1 2 3\n4 5\n6\n"]),
        text(["%%MatrixMarket matrix coordinate pattern general\n4 5 3\n1 1\n2 5\n4 4\n"]),
        text(["%%MatrixMarket matrix coordinate real skew-symmetric\n4 4 2\n2 1 0.5\n4 3 -7\n"]),
      ];
    case "json":
      return [
        text(jsonText(M)),
        text(["[[1, 2.5], [3, -4e-3]]\n"]),
        text(['{"data": [1, 2, 3, 4, 5, 6], "shape": [2, 3], "strides": [3, 1], "offset": 0}']),
      ];
  }
}

/** An archive whose sizes stand in the fields of zip64, as Python writes large ones */
function zip64(file: Uint8Array): Uint8Array {
  const plain = zipSync({ "X.npy": file }, { level: 0, mtime: DATE });
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  const end = plain.length - 22;
  const central = view.getUint32(end + 16, true);
  const extra = new DataView(new ArrayBuffer(20));
  extra.setUint16(0, 1, true);
  extra.setUint16(2, 16, true);
  extra.setBigUint64(4, BigInt(file.length), true);
  extra.setBigUint64(12, BigInt(file.length), true);
  view.setUint32(central + 20, 0xffffffff, true);
  view.setUint32(central + 24, 0xffffffff, true);
  view.setUint16(central + 30, 20, true);
  return joined(plain.slice(0, end), new Uint8Array(extra.buffer), plain.slice(end));
}

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** Bytes of latin text, the first `from` replaced by `to`; the same length where the two are as long */
function replaced(file: Uint8Array, from: string, to: string): Uint8Array {
  return new Uint8Array(Buffer.from(Buffer.from(file).toString("latin1").replace(from, to), "latin1"));
}

const NUMBERS = [
  "1000000000000",
  "1000000",
  "-1",
  "NaN",
  "1e400",
  "0",
  "4294967296",
  "1.5",
  "99999999999999999999",
  "",
];
const WORDS = ["inf", '"', "'", "[", "]", "{", "}", ",", ";", "\n", "\t", "null", "\ud83d\ude00", "('x', '<f8')"];
const FIELDS = [0, 1, 0xff, 0xffff, 0x7fffffff, 0xffffffff];

/** One change of a file. */
const changes: ((file: Uint8Array, r: Random) => Uint8Array)[] = [
  // bytes flipped
  (file, r) => {
    const out = file.slice();
    for (let k = 1 + r.integer(4); k > 0 && out.length > 0; k--) out[r.integer(out.length)]! ^= 1 << r.integer(8);
    return out;
  },
  // cut off
  (file, r) => file.slice(0, r.integer(file.length + 1)),
  (file, r) => file.slice(r.integer(Math.min(40, file.length + 1))),
  // bytes put in
  (file, r) => {
    const [at, bytes] = [r.integer(file.length + 1), new Uint8Array(1 + r.integer(8)).map(() => r.integer(256))];
    return joined(file.slice(0, at), bytes, file.slice(at));
  },
  // a word put in
  (file, r) => {
    const at = r.integer(file.length + 1);
    return joined(file.slice(0, at), text([pick(r, WORDS)]), file.slice(at));
  },
  // a part said twice
  (file, r) => {
    const [a, b] = [r.integer(file.length + 1), r.integer(file.length + 1)];
    return joined(file.slice(0, Math.max(a, b)), file.slice(Math.min(a, b)));
  },
  // a number replaced, more often one near the beginning
  number,
  number,
  number,
  // a field of four bytes
  (file, r) => {
    if (file.length < 4) return file;
    const out = file.slice();
    const view = new DataView(out.buffer);
    view.setUint32(r.integer(out.length - 3), pick(r, FIELDS), true);
    return out;
  },
];

function number(file: Uint8Array, r: Random): Uint8Array {
  const latin = Buffer.from(file).toString("latin1");
  const found = [...latin.matchAll(/-?\d+(\.\d+)?(e[-+]?\d+)?/g)];
  if (found.length === 0) return file;
  const { 0: word, index } = found[r.integer(r.uniform() < 0.5 ? Math.min(6, found.length) : found.length)]!;
  const other = latin.slice(0, index) + pick(r, NUMBERS) + latin.slice(index + word.length);
  return new Uint8Array(Buffer.from(other, "latin1"));
}

const pick = <T>(r: Random, list: readonly T[]): T => list[r.integer(list.length)]!;

/** The same `count` files for the same seed. */
export async function runMutations(format: Format, count: number, seed: number): Promise<Mutations> {
  const r = random(seed, `mutations ${format}`);
  const good = seeds(format);
  const folder = mkdtempSync(join(tmpdir(), "expen-mutations-"));
  const name = `mutated.${format}`;
  const path = join(folder, name);
  const result: Mutations = { format, tried: 0, matrices: 0, sentences: 0, failures: [] };
  const meter = allocations();
  try {
    for (const file of good) await attempt(file, true);
    for (let k = 0; k < count; k++) {
      let file = pick(r, good);
      for (let rounds = 1 + r.integer(3); rounds > 0; rounds--) file = pick(r, changes)(file, r);
      await attempt(file);
    }
  } finally {
    meter.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...result, tried: result.tried - good.length, matrices: result.matrices - good.length };

  async function attempt(file: Uint8Array, whole = false): Promise<void> {
    writeFileSync(path, file);
    const fail = (what: string): void => {
      const shown = JSON.stringify(Buffer.from(file.subarray(0, 300)).toString("latin1"));
      result.failures.push(`${format} file ${result.tried}: ${what}: ${shown}`);
    };
    result.tried++;
    meter.begin();
    const began = process.cpuUsage();
    let held = 0;
    try {
      const { matrix } = await loadOperator(path);
      held = bytesOf(matrix);
      const wrong = flaw(matrix);
      if (wrong) fail(wrong);
      else result.matrices++;
    } catch (error) {
      const wrong = whole ? `a good file is refused: ${(error as Error).message}` : blunder(error, name);
      if (wrong) fail(wrong);
      else result.sentences++;
    }
    const { user, system } = process.cpuUsage(began);
    const [took, taken] = [(user + system) / 1000, meter.taken()];
    if (took > SLOW) fail(`it took ${took} ms`);
    if (taken > 2 * (file.length + held) + ALLOWANCE) fail(`it took ${taken} bytes of memory`);
  }
}

const bytesOf = (M: Matrix | Sparse): number =>
  isSparse(M) ? 4 * (M.pointers.length + M.indices.length) + 8 * M.values.length : 8 * M.data.length;

/** What is wrong with a matrix that was read; nothing, if it is one */
function flaw(M: Matrix | Sparse): string | undefined {
  if (![M.rows, M.cols].every((size) => Number.isSafeInteger(size) && size >= 0)) return `sizes ${M.rows}×${M.cols}`;
  if (!isSparse(M)) return M.data.length === M.rows * M.cols ? undefined : `${M.data.length} numbers`;
  const { rows, cols, pointers, indices, values } = M;
  const inside = indices.every((j) => j >= 0 && j < cols) && pointers.every((k, i) => i === 0 || k >= pointers[i - 1]!);
  return inside && pointers.length === rows + 1 && pointers[rows] === values.length ? undefined : "no sparse matrix";
}

/** What is wrong with an error; nothing, if it is a sentence about the file: of this kind, for a reason that was foreseen, on one line */
function blunder(error: unknown, name: string): string | undefined {
  if (!(error instanceof DataError)) return `${(error as Error)?.name}: ${(error as Error)?.message}`;
  const { message, cause } = error;
  if (!(cause instanceof DataError) && !(cause instanceof MemoryError))
    return `by ${(cause as Error)?.name}: ${message}`;
  if (!message.includes(`${name}: `)) return `it does not name the file: ${message}`;
  if (/[\n\r\u2028\u2029]/.test(message) || message.length > 400) return `no one line: ${message}`;
  return /[.)]$/.test(message) ? undefined : `no end: ${message}`;
}

/** Bytes of typed arrays that are made by their length, from `begin` on */
function allocations(): { begin(): void; taken(): number; end(): void } {
  const kept = { Float64Array, Int32Array, Uint8Array, ArrayBuffer };
  let bytes = 0;
  const names = Object.keys(kept) as (keyof typeof kept)[];
  for (const key of names) {
    const size = key === "ArrayBuffer" ? 1 : kept[key].BYTES_PER_ELEMENT;
    const counted = new Proxy(kept[key], {
      construct(target, args, newTarget) {
        if (typeof args[0] === "number" && args[0] > 0) bytes += size * args[0];
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
    Object.assign(globalThis, { [key]: counted });
  }
  return {
    begin() {
      bytes = 0;
    },
    taken: () => bytes,
    end: () => void Object.assign(globalThis, kept),
  };
}
