/** Engines of native libraries, each imported when it is opened. A build for browsers takes native-browser.ts instead. */

import type { Engine } from "@expen/linalg";
import { environment } from "@expen/linalg";
import type { BlasOptions } from "./blas/engine.js";
import type { CudaOptions } from "./cuda/engine.js";
import { startedAs } from "./mpi/started.js";

/** Opens the engine for the rows of one rank, after MPI has started; `device`: that of this rank, where the user names none */
type Inner = (device: number | undefined) => Promise<Engine>;

export const native = {
  cuda: async (options: CudaOptions): Promise<Engine> => (await import("./cuda/engine.js")).cudaEngine(options),
  blas: async (options: BlasOptions): Promise<Engine> => (await import("./blas/engine.js")).blasEngine(options),
  mpi: async (inner: Inner): Promise<Engine> => (await import("./mpi/open.js")).openRows(() => inner(ownDevice())),
  "mpi-data": async (inner: Inner): Promise<Engine> =>
    (await import("./mpi/open.js")).openData(() => inner(ownDevice())),
};

/** The device of this rank on its machine, where the user names none */
const ownDevice = (): number | undefined => (environment.EXPEN_CUDA_DEVICE ? undefined : startedAs()?.localRank);
