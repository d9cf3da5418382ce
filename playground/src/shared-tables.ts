/** Tables in the address: small ones whole and packed; of large ones the name, sizes and fingerprint */
import type { Table } from "./protocol.js";

/** most characters of a packed table: some programs cut longer links */
const LONGEST = 12_000;

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

const through = async (
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const bytesOf = ({ data }: Table): Uint8Array<ArrayBuffer> =>
  new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);

/** FNV-1a over the bytes: tells files apart, no more. */
export function fingerprint(table: Table): string {
  let h = 0x811c9dc5;
  for (const b of bytesOf(table)) h = Math.imul(h ^ b, 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

const header = ({ name, rows, cols }: Table): string => `${name.replace(/~/g, "-")}~${rows}~${cols}`;

export async function packTable(table: Table): Promise<string> {
  if (table.data.length * 8 < 40 * LONGEST) {
    const packed = toBase64(await through(bytesOf(table), new CompressionStream("deflate-raw")));
    const names = table.names
      ? `~${table.names.map((name) => encodeURIComponent(name).replace(/~/g, "-")).join()}`
      : "";
    if (packed.length + names.length <= LONGEST) return `z~${header(table)}~${packed}${names}`;
  }
  return `f~${header(table)}~${fingerprint(table)}`;
}

export interface Wanted {
  name: string;
  rows: number;
  cols: number;
  fingerprint: string;
}

/** The table itself, or which file has to be dropped again. */
export async function unpackTable(text: string): Promise<{ table: Table } | { wanted: Wanted }> {
  const [kind, name = "table", rows, cols, body = "", list] = text.split("~");
  const shape = { name, rows: Number(rows), cols: Number(cols) };
  if (kind !== "z") return { wanted: { ...shape, fingerprint: body } };
  const bytes = await through(fromBase64(body), new DecompressionStream("deflate-raw"));
  const data = new Float64Array(bytes.buffer);
  if (data.length !== shape.rows * shape.cols) throw new Error(`the table ${name} in this link is damaged.`);
  const names = list?.split(",").map(decodeURIComponent);
  return { table: { ...shape, data, ...(names?.length === shape.cols && { names }) } };
}
