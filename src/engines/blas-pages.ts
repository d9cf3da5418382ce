/** Large pages for the matrices, as NumPy asks for them. */
import { optional, type Shared } from "./blas-threads.js";

/** Of Linux */
const MADV_HUGEPAGE = 14;
/** What a WebAssembly memory may grow to; its address space is reserved from the start. */
const RESERVED = 2 ** 32;

/**
 * Matrices beyond the caches are read page by page, and with pages of 4 kB a fifth of the time goes into finding them
 * (100000×10). Linux gives pages of 2 MB to who asks. It is a hint: where it is not understood, nothing happens. The
 * C library is found through the one that needs it.
 */
export function pageAdviser(library: Shared, platform: string): ((memory: WebAssembly.Memory) => void) | undefined {
  if (platform !== "linux") return undefined;
  const madvise = optional(() => library.func("madvise", "int", ["void *", "size_t", "int"]));
  return madvise && ((memory) => void madvise(new Uint8Array(memory.buffer), RESERVED, MADV_HUGEPAGE));
}
