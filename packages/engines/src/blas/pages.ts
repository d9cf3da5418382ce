/** Large pages for the matrices, requested with madvise as in NumPy. */
import { optional, type Shared } from "./threads.js";

/** The advice for large pages in <sys/mman.h> of Linux */
const MADV_HUGEPAGE = 14;
/** Bytes from which the C library maps an array on pages of its own, after a header of 16 bytes. */
const LARGE = 2 ** 26;
/** Bytes of a page */
const PAGE = 4096;
/** Bytes of the header of the C library */
const HEADER = 16;
/** Bytes to which a WebAssembly memory may grow; their address space is reserved from the start. */
const RESERVED = 2 ** 32;

export interface PageAdviser {
  linear(memory: WebAssembly.Memory): void;
  /** an array that was not written yet */
  array(numbers: Float64Array): void;
}

/**
 * Requests pages of 2 MB on Linux: with pages of 4 kB, address translation takes a fifth of the time of products with a 100000×10 matrix.
 * madvise is found through the BLAS, which loads the C library. Its failure is ignored.
 */
export function pageAdviser(library: Shared, platform: string): PageAdviser | undefined {
  if (platform !== "linux") return undefined;
  const madvise = optional(() => library.func("madvise", "int", ["void *", "size_t", "int"]));
  if (!madvise) return undefined;
  return {
    linear: (memory) => void madvise(new Uint8Array(memory.buffer), RESERVED, MADV_HUGEPAGE),
    array({ buffer, byteLength }) {
      if (byteLength < LARGE) return;
      const start = PAGE - HEADER;
      madvise(new Uint8Array(buffer, start), byteLength - start, MADV_HUGEPAGE);
    },
  };
}
