/** Stands where Node has the `blas` engine. */
import { EngineError } from "expen";

export function blasEngine(): never {
  throw new EngineError("blas: a browser has no native libraries; use the wasm engine.");
}
