/** Stands where Node has the `blas` and `cuda` engines. */
import { EngineError } from "expen";

const none = (name: string) => (): never => {
  throw new EngineError(`${name}: a browser has no native libraries; use the wasm engine.`);
};

export const blasEngine = none("blas");
export const cudaEngine = none("cuda");
