import { nearest } from "@expen/linalg";

/** One sentence about input that cannot be used. Exit code 2. */
export class InputError extends Error {
  override name = "InputError";
}

/** "; did you mean 'x'?" where one of the names is near, "." otherwise */
export function didYouMean(name: string, names: readonly string[]): string {
  const guess = nearest(name, names);
  return guess ? `; did you mean '${guess}'?` : ".";
}

export function oneOf<T extends string>(what: string, name: string, names: readonly T[]): T {
  if ((names as readonly string[]).includes(name)) return name as T;
  throw new InputError(`${what} '${name}' is none of ${names.join(", ")}${didYouMean(name, names)}`);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
