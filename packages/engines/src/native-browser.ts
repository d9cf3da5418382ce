/** The engines of native.ts in a browser: each is an error. */
import { EngineError } from "@expen/linalg";
import type { native as Native } from "./native.js";

const refuse = (name: string) => async (): Promise<never> => {
  throw new EngineError(`${name}: there are no native libraries in a browser; use the wasm engine.`);
};

export const native: typeof Native = {
  cuda: refuse("cuda"),
  blas: refuse("blas"),
  mpi: refuse("mpi"),
  "mpi-data": refuse("mpi-data"),
};
