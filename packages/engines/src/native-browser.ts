/** In a browser there are no native libraries. */
import { EngineError } from "@expen/linalg";
import type { native as Native } from "./native.js";

const none = (name: string) => async (): Promise<never> => {
  throw new EngineError(`${name}: there are no native libraries in a browser; use the wasm engine.`);
};

export const native: typeof Native = {
  cuda: none("cuda"),
  blas: none("blas"),
  mpi: none("mpi"),
  "mpi-data": none("mpi-data"),
};
