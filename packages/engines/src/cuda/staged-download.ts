/** Many numbers from the device through two pieces of memory that it can write by itself: one is filled while the other is copied. */
import type { FunctionName } from "./functions.js";

/** bytes of a piece */
const PIECE = 2 ** 24;
/** Bytes from which on it is faster than to let the driver do it */
export const WORTH_STAGING: number = 4 * PIECE;

export interface StagedDownload {
  (numbers: ArrayBufferView, at: number): void;
  /** registered with the driver */
  readonly pieces: readonly Uint8Array[];
}

export function stagedDownload(call: (name: FunctionName, ...args: unknown[]) => void): StagedDownload {
  const pieces = [new Uint8Array(PIECE), new Uint8Array(PIECE)] as const;
  for (const piece of pieces) call("cuMemHostRegister_v2", piece, PIECE, 0);

  function download({ buffer, byteOffset, byteLength }: ArrayBufferView, at: number): void {
    const request = (first: number): void => {
      const count = Math.min(PIECE, byteLength - first);
      if (count > 0) call("cuMemcpyDtoHAsync_v2", pieces[(first / PIECE) % 2], at + first, count, 0);
    };
    request(0);
    for (let first = 0; first < byteLength; first += PIECE) {
      call("cuStreamSynchronize", 0);
      request(first + PIECE);
      const count = Math.min(PIECE, byteLength - first);
      // no view of all: bytes have fewer places than doubles
      const to = new Uint8Array(buffer, byteOffset + first, count);
      to.set(pieces[(first / PIECE) % 2 === 0 ? 0 : 1].subarray(0, count));
    }
    call("cuStreamSynchronize", 0);
  }

  return Object.assign(download, { pieces });
}
