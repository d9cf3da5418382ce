/** Stands where Node has the `blas`, `cuda` and `mpi` engines. */
import { EngineError } from "expen";

const none = (name: string) => (): never => {
  throw new EngineError(`${name}: a browser has no native libraries; use the wasm engine.`);
};

export const blasEngine = none("blas");
export const cudaEngine = none("cuda");
export const openRows = none("mpi");
export const openData = none("mpi-data");
