/** The `blas` engine: BLAS and LAPACK of the machine (OpenBLAS, MKL, BLIS, Accelerate), called through koffi without copies. */
import type { Engine } from "@expen/linalg";
import { makeEngine } from "@expen/linalg/engine";
import { requireThreads } from "../threads.js";
import { blasLapack } from "./lapack.js";
import { openBlasLibrary } from "./library.js";
import { products } from "./products.js";
import { spilling } from "./spill.js";

export interface BlasOptions {
  /** path or name of the library; left out: EXPEN_BLAS, or the first of `knownLibraries`; EXPEN_BLAS=none hides all of these */
  library?: string;
  threads?: number;
}

/** The number of threads of each library by its path: one setting for all engines on that library */
const current = new Map<string, number>();

export async function blasEngine({ library: name, threads = 1 }: BlasOptions = {}): Promise<Engine> {
  requireThreads("blas", threads);
  const library = await openBlasLibrary(name, threads);
  const { path, version, lapack, setThreads, advisePages } = library;
  const use = (count: number): void => {
    if (!setThreads || current.get(path) === count) return;
    setThreads(count);
    current.set(path, count);
  };
  /** Sets the number even if it should be set already, as other code in the process may have changed it. */
  const useForLapack = (count: number): void => {
    setThreads?.(count);
    current.set(path, count);
  };
  const { memory, kernels, description, linear } = await spilling({ onAllocation: advisePages?.array });
  if (linear) advisePages?.linear(linear);
  const words = [
    version ? `${version} (${path})` : path,
    setThreads ? `${threads} thread${threads > 1 ? "s" : ""}` : "threads as the library decides",
    ...(lapack ? (lapack.path === path ? [] : [`LAPACK of ${lapack.path}`]) : ["no LAPACK"]),
    `elementwise: ${description}`,
  ];
  return makeEngine({
    name: "blas",
    description: words.join(", "),
    memory,
    kernels: Object.assign(
      kernels,
      products(library, { ...kernels }, threads === 1 && setThreads !== undefined, () => use(threads)),
    ),
    lapack: lapack && blasLapack({ ...library, lapack }, useForLapack, threads),
  });
}
