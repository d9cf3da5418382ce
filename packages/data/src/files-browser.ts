/** The files of a page are those of its server: a path is an address, relative to the page. */

export type Pieces = Iterable<string | Uint8Array>;

export interface Source {
  /** in bytes; Infinity where it is not known before the end, as of a pipe */
  readonly size: number;
  /** each to be read before the next is asked for */
  pieces(): AsyncIterable<Uint8Array>;
  whole(): Promise<Uint8Array>;
}

/** ".npy" of any/X.NPY?version=2 */
export const endingOf = (path: string): string =>
  (/[^/](\.[^./]*)$/.exec(new URL(path, globalThis.location?.href).pathname)?.[1] ?? "").toLowerCase();

export async function sourceAt(path: string): Promise<Source> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trimEnd() + ".");
  // the length of a body that comes compressed is that of what is sent
  const length = response.headers.get("content-encoding") ? null : response.headers.get("content-length");
  return {
    size: length === null ? Number.POSITIVE_INFINITY : Number(length),
    pieces: () => piecesOf(response.body!),
    whole: async () => new Uint8Array(await response.arrayBuffer()),
  };
}

/** Not every browser iterates over a stream by itself. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

export async function writePieces(_path: string, _pieces: () => Pieces | Promise<Pieces>): Promise<void> {
  throw new Error("a page cannot write files; offer the numbers of the matrix as a download.");
}
