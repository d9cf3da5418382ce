/** Options of the command lines of the bench. */
import { parseArgs } from "node:util";

/** Functions that read the text of an option, or return the default where it is absent. */
export type Readers = Record<string, (text?: string) => unknown>;
export type Values<T extends Readers, F extends string> = { [K in keyof T]: ReturnType<T[K]> } & Record<F, boolean>;

/** The options with a value, each by its reader, and the flags; an unknown option is refused with a list of the known ones. */
export function readOptions<T extends Readers, F extends string = never>(
  readers: T,
  flags: readonly F[],
  args: readonly string[],
): Values<T, F> {
  const names = Object.keys(readers);
  const types = [...names.map((name) => [name, "string"] as const), ...flags.map((name) => [name, "boolean"] as const)];
  const values = parse(Object.fromEntries(types.map(([name, type]) => [name, { type }])), args);
  const read = names.map((name) => [name, readers[name]!(values[name] as string | undefined)]);
  return Object.fromEntries([...read, ...flags.map((name) => [name, values[name] === true])]);
}

/** parseArgs of Node, with a message that lists the options. */
function parse(options: Record<string, { type: "string" | "boolean" }>, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new RangeError(`${(error as Error).message.split(". ")[0]}; there are ${known.join(", ")}.`);
  }
}

/** The options of a small script; a wrong one ends the process with a sentence. */
export function scriptOptions<T extends Readers, F extends string = never>(
  readers: T,
  flags: readonly F[] = [],
): Values<T, F> {
  try {
    return readOptions(readers, flags, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

export const text = (value?: string): string | undefined => value;

/** Words between commas. */
export const list = (value?: string): string[] | undefined => value?.split(",").map((word) => word.trim());

/** A number that is at least `least`, or positive where no bound is given. */
export const number =
  (name: string, least?: number) =>
  (value?: string): number | undefined => {
    if (value === undefined) return undefined;
    const x = Number(value);
    if (least === undefined ? x > 0 : x >= least) return x;
    const wanted = least === undefined ? "a positive number" : `a number, ${least} or more`;
    throw new RangeError(`--${name} is '${value}'; it must be ${wanted}.`);
  };

/** The entries of `known` that the words between commas name; a word may name several. */
export const chosen =
  <A>(option: string, known: readonly A[], namesOf: (one: A) => readonly string[]) =>
  (value?: string): A[] | undefined =>
    list(value)?.flatMap((word) => {
      const named = known.filter((one) => namesOf(one).includes(word));
      if (named.length > 0) return named;
      const names = [...new Set(known.map((one) => namesOf(one)[0]!))];
      throw new RangeError(`--${option}: '${word}' is none of ${names.join(", ")}.`);
    });
