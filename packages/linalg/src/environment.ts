/** Environment variables on every host: a browser has none, and Deno prompts its user before a program may read one. */
import { isPermitted } from "./permissions.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads as `process.env` does; a variable that may not be read is undefined. */
export const environment: Environment = new Proxy<Record<string, string | undefined>>(
  {},
  { get: (_target, name) => (isReadable(name) ? globalThis.process?.env?.[name] : undefined) },
);

const isReadable = (name: string | symbol): name is string =>
  typeof name === "string" && isPermitted({ name: "env", variable: name });
