/** The error of wrong arguments, and values in its sentences */

/** A wrong argument or a missing resource. The message is one sentence: the subject, its value, and the remedy. */
export class EngineError extends Error {
  override name = "EngineError";
}

/** A value in a sentence: "a promise", "the string 'x'", "undefined" */
export function described(value: unknown): string {
  if (isPromise(value)) return "a promise";
  if (typeof value === "string") return `the string '${value}'`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "an array";
  if (typeof value === "bigint") return `the BigInt ${value}n`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Whether the value is a promise; if it is one, its rejection counts as handled. */
export function isPromise(value: unknown): boolean {
  if (typeof (value as PromiseLike<unknown> | null | undefined)?.then !== "function") return false;
  (value as PromiseLike<unknown>).then(undefined, () => {});
  return true;
}
