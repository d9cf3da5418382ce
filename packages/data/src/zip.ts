/**
 * Zip archives, read by their central directory [https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7 to 4.5.3],
 * zip64 included. A DataView throws outside of the file, and every loop moves forward in it, so that damaged archives terminate.
 */
import { Inflate } from "fflate";
import { DataError } from "./loaded.js";

export interface ZipEntry {
  readonly name: string;
  /** 0: stored, 8: deflated */
  readonly method: number;
  readonly crc: number;
  /** compressed and uncompressed bytes */
  readonly packed: number;
  readonly size: number;
  /** the byte where its local header begins */
  readonly at: number;
}

/** Signatures of records */
const [LOCAL, CENTRAL, END, END64, LOCATOR64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50];
/** The value of a 32-bit field whose number is in the extra field of zip64 */
const ELSEWHERE = 0xffffffff;
/** Uncompressed bytes per compressed byte at most: deflate encodes 258 bytes in 2 bits or more. */
const MOST_FROM_A_BYTE = 1032;
/** Compressed bytes that are unpacked at a time, to at most 16 MiB */
const PIECE = 1 << 14;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const u64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let { count, at } = directory(view);
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== CENTRAL) throw damaged(`no entry at byte ${at}`);
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const extra = at + 46 + nameLength;
    const fields = [24, 20, 42].map((field) => view.getUint32(at + field, true)) as [number, number, number];
    fill64(view, fields, extra, extra + extraLength);
    const [size, packed, local] = fields;
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, extra)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed,
      size,
      at: local,
    });
    at = extra + extraLength + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Offset and number of the entries, from the record at the end, which a comment of up to 2^16 bytes may follow */
function directory(view: DataView): { count: number; at: number } {
  const last = view.byteLength - 22;
  for (let end = last; end >= Math.max(0, last - 0xffff); end--) {
    if (view.getUint32(end, true) !== END) continue;
    if (end >= 20 && view.getUint32(end - 20, true) === LOCATOR64) {
      const end64 = u64(view, end - 12);
      if (view.getUint32(end64, true) === END64) return { count: u64(view, end64 + 32), at: u64(view, end64 + 48) };
    }
    return { count: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) };
  }
  throw damaged("its end is missing");
}

/** Reads size, compressed size and offset, as far as needed, from the extra field of zip64, in this order. */
function fill64(view: DataView, fields: number[], from: number, to: number): void {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    for (const [k, value] of fields.entries()) {
      if (value !== ELSEWHERE) continue;
      fields[k] = u64(view, next);
      next += 8;
    }
    return;
  }
}

/** The bytes of an entry in pieces. Throws by the end if the entry is damaged, also for a wrong size or check sum. */
export function* unpacked(bytes: Uint8Array, { name, method, crc, packed, size, at }: ZipEntry): Generator<Uint8Array> {
  const view = viewOf(bytes);
  if (view.getUint32(at, true) !== LOCAL) throw damaged(`no data at byte ${at}`);
  if (view.getUint16(at + 6, true) & 1) throw new DataError(`'${name}' in the archive is encrypted; save it without.`);
  const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (!(from + packed <= bytes.length)) throw damaged(`'${name}' reaches beyond the end of the file`);
  if (method !== 0 && method !== 8) {
    throw new DataError(`'${name}' in the archive is packed by method ${method}; save it stored or deflated.`);
  }
  if (!(size <= (method === 0 ? 1 : MOST_FROM_A_BYTE) * packed)) {
    throw damaged(`${packed} packed bytes cannot hold the ${size} that it announces`);
  }
  const data = bytes.subarray(from, from + packed);
  let [length, sum] = [0, 0];
  for (const piece of method === 0 ? [data] : inflated(data)) {
    length += piece.length;
    if (length > size) throw damaged(`'${name}' holds more than the ${size} bytes that it announces`);
    sum = crc32(piece, sum);
    yield piece;
  }
  if (length !== size || sum !== crc) throw damaged(`the check sum of '${name}' is wrong`);
}

function* inflated(data: Uint8Array): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const stream = new Inflate((piece) => void ready.push(piece));
  for (let at = 0; at < data.length; at += PIECE) {
    try {
      stream.push(data.subarray(at, at + PIECE), at + PIECE >= data.length);
    } catch (error) {
      throw damaged((error as Error).message);
    }
    yield* ready.splice(0);
  }
}

const damaged = (what: string): DataError => new DataError(`the zip archive is damaged or cut off: ${what}.`);

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The CRC-32 of data with the CRC-32 `before`, followed by `bytes` */
function crc32(bytes: Uint8Array, before: number): number {
  let c = ~before;
  for (let k = 0; k < bytes.length; k++) c = CRC_TABLE[(c ^ bytes[k]!) & 255]! ^ (c >>> 8);
  return ~c >>> 0;
}
