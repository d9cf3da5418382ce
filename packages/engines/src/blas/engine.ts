/** The `blas` engine: the machine's own BLAS and LAPACK (OpenBLAS, MKL, BLIS, Accelerate) through koffi, without copies. */
import type { Engine } from "@expen/linalg";
import { makeEngine } from "@expen/linalg/engine";
import { requireThreads } from "../threads.js";
import { blasLapack } from "./lapack.js";
import { openBlasLibrary } from "./library.js";
import { products } from "./products.js";
import { spilling } from "./spill.js";

export interface BlasOptions {
  /** Path or name of the library; otherwise EXPEN_BLAS, otherwise the known names; EXPEN_BLAS=none hides all but a library named here */
  library?: string;
  threads?: number;
}

/** The number of threads each library is set to now; it is one setting for all engines on that library. */
const current = new Map<string, number>();

export async function blasEngine({ library: named, threads = 1 }: BlasOptions = {}): Promise<Engine> {
  requireThreads("blas", threads);
  const library = await openBlasLibrary(named, threads);
  const { path, version, lapack, setThreads, advisePages } = library;
  const use = (count: number): void => {
    if (!setThreads || current.get(path) === count) return;
    setThreads(count);
    current.set(path, count);
  };
  /** Whatever else in the process may have told the library: LAPACK's own threads cost more than they bring for small matrices */
  const insist = (count: number): void => {
    setThreads?.(count);
    current.set(path, count);
  };
  const { memory, kernels, description, linear } = await spilling({ made: advisePages?.array });
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
    lapack: lapack && blasLapack({ ...library, lapack }, insist, threads),
  });
}
