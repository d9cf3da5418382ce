/** A wrong argument or a missing resource, said in one sentence: what, which value, what to do. */
export class EngineError extends Error {
  override name = "EngineError";
}

/** "a promise", "the string 'x'", "undefined": what a function returned, for a sentence */
export function described(value: unknown): string {
  if (isPromise(value)) return "a promise";
  if (typeof value === "string") return `the string '${value}'`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "an array";
  if (typeof value === "bigint") return `the BigInt ${value}n`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** A promise, whose rejection is handled by this */
export function isPromise(value: unknown): boolean {
  if (typeof (value as PromiseLike<unknown> | null | undefined)?.then !== "function") return false;
  (value as PromiseLike<unknown>).then(undefined, () => {});
  return true;
}
