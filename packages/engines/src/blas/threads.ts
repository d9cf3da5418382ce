/** The number of threads of a BLAS, which each library sets by another function; the default of most is all cores. */
import { EngineError } from "@expen/linalg";

/** A loaded library: `func` declares a C function, and throws if the library has none of that name. */
export interface Shared {
  readonly path: string;
  func(name: string, result: string, args: string[]): (...args: unknown[]) => unknown;
}

/** The value, or undefined if it throws */
export function optional<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** The function that sets the number of threads, if the library has one */
export function threadSetter(library: Shared): ((count: number) => void) | undefined {
  for (const [name, type] of [
    ["openblas_set_num_threads", "int"],
    ["MKL_Set_Num_Threads", "int"],
    ["bli_thread_set_num_threads", "int64_t"],
  ] as const) {
    const set = optional(() => library.func(name, "void", [type]));
    if (set) return set as (count: number) => void;
  }
  return undefined;
}

/** MKL_INTERFACE_LP64: 32-bit integers (mkl_service.h) */
const LP64 = 0;
/** MKL_THREADING_INTEL, _SEQUENTIAL and _GNU (mkl_service.h) */
const [INTEL, SEQUENTIAL, GNU] = [0, 1, 3];
/** OpenMP libraries with the threading layer of MKL that needs them */
const OPENMP = [
  ["libiomp5.so", INTEL],
  ["libiomp5.dylib", INTEL],
  ["libiomp5md.dll", INTEL],
  ["libgomp.so.1", GNU],
] as const;

/**
 * MKL chooses its threading layer at the first call, and ends the process if it does not find the OpenMP library of that layer. This
 * function chooses before: the sequential layer for one thread, else that of the first OpenMP library that `loads`. It does nothing for
 * other libraries.
 */
export function chooseMklLayers(library: Shared, threads: number, loads: (name: string) => boolean): void {
  const setLayer = optional(() => library.func("MKL_Set_Threading_Layer", "int", ["int"]));
  if (!setLayer) return;
  const folder = library.path.replace(/[^/\\]*$/, "");
  const openmp = threads > 1 ? OPENMP.find(([name]) => loads(folder + name) || loads(name)) : undefined;
  if (threads > 1 && !openmp) {
    throw new EngineError(
      `blas: threads is ${threads} but MKL's OpenMP (libiomp5) is not on this machine; install it, or use threads = 1.`,
    );
  }
  library.func("MKL_Set_Interface_Layer", "int", ["int"])(LP64);
  const layer = setLayer(openmp?.[1] ?? SEQUENTIAL);
  if (threads > 1 && layer === SEQUENTIAL) {
    throw new EngineError(
      `blas: threads is ${threads} but MKL was first opened with 1 in this process, which it keeps; open it with threads first.`,
    );
  }
}
