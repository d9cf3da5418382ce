/** Large pages for the matrices, as NumPy asks for them. */
import { optional, type Shared } from "./threads.js";

/** Of Linux */
const MADV_HUGEPAGE = 14;
/** An array from here on has pages of its own, the first of them with a header of the C library. */
const LARGE = 2 ** 26;
const PAGE = 4096;
const HEADER = 16;
/** What a WebAssembly memory may grow to; its address space is reserved from the start. */
const RESERVED = 2 ** 32;

export interface PageAdviser {
  linear(memory: WebAssembly.Memory): void;
  /** an array that nobody has written yet */
  array(numbers: Float64Array): void;
}

/**
 * Matrices beyond the caches are read page by page, and with pages of 4 kB a fifth of the time goes into finding them
 * (100000×10). Linux gives pages of 2 MB to who asks. It is a hint: where it is not understood, nothing happens. The
 * C library is found through the one that needs it.
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
