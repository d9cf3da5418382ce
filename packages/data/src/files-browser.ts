/** Files of a web page come from its server: a path is a URL, relative to the page. */

export type Pieces = Iterable<string | Uint8Array>;

export interface Source {
  /** in bytes; Infinity if unknown before the end, as for a pipe */
  readonly size: number;
  /** each piece must be used before the next is requested, since they share memory */
  pieces(): AsyncIterable<Uint8Array>;
  whole(): Promise<Uint8Array>;
}

/** ".npy" of any/X.NPY?version=2 */
export const endingOf = (path: string): string =>
  (/[^/](\.[^./]*)$/.exec(new URL(path, globalThis.location?.href).pathname)?.[1] ?? "").toLowerCase();

export async function sourceAt(path: string): Promise<Source> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trimEnd() + ".");
  // for a compressed body, content-length is the compressed size
  const length = response.headers.get("content-encoding") ? null : response.headers.get("content-length");
  return {
    size: length === null ? Number.POSITIVE_INFINITY : Number(length),
    pieces: () => piecesOf(response.body!),
    whole: async () => new Uint8Array(await response.arrayBuffer()),
  };
}

/** Not every browser has async iteration of streams. */
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
