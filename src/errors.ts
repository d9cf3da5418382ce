/** A wrong argument or a missing resource, said in one sentence: what, which value, what to do. */
export class EngineError extends Error {
  override name = "EngineError";
}
