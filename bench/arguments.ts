/** The command line of `npm run bench`. */
import { parseArgs } from "node:util";
import { clockNamed } from "./contender.js";
import type { BenchOptions } from "./side-by-side.js";

export interface Arguments extends BenchOptions {
  /** where the results go, while the run goes on too */
  out?: string;
  /** go on with what an interrupted run left there */
  resume: boolean;
  /** all rows and contenders: the results are kept with the project */
  full: boolean;
}

/** of a run over all rows */
const STARTS = 3;

/** parseArgs of Node, whose complaint is made a sentence that says which options there are. */
function parse<T extends Record<string, { type: "string" | "boolean" }>>(options: T, args = process.argv.slice(2)) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new RangeError(`${(error as Error).message.split(". ")[0]}; there are ${known.join(", ")}.`);
  }
}

export function readArguments(args: string[]): Arguments {
  const values = parse(
    {
      rows: { type: "string" },
      contenders: { type: "string" },
      repeats: { type: "string" },
      threads: { type: "string" },
      clock: { type: "string" },
      limit: { type: "string" },
      gap: { type: "string" },
      seed: { type: "string" },
      starts: { type: "string" },
      quick: { type: "boolean" },
      slow: { type: "string" },
      out: { type: "string" },
      resume: { type: "boolean" },
    },
    args,
  );
  const count = (name: "repeats" | "threads" | "limit" | "seed" | "starts"): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!(Number(text) >= 1)) throw new RangeError(`--${name} is '${text}'; it must be a number, 1 or more.`);
    return Number(text);
  };
  const gap = values.gap === undefined ? undefined : Number(values.gap);
  if (gap !== undefined && !(gap >= 0))
    throw new RangeError(`--gap is '${values.gap}'; it must be a number, 0 or more.`);
  const given = <K extends string, V>(key: K, value: V | undefined) =>
    (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>;
  const rows = values.rows ?? (values.quick ? "quick" : undefined);
  return {
    ...given("rows", rows),
    ...given("contenders", values.contenders?.split(",")),
    ...given("repeats", count("repeats")),
    ...given("threads", values.threads === "all" ? ("all" as const) : count("threads")),
    clock: clockNamed(values.clock),
    ...given("limit", count("limit")),
    ...given("gap", gap),
    ...given("seed", count("seed")),
    ...given("starts", count("starts") ?? (rows === undefined ? STARTS : undefined)),
    ...given("slow", values.slow),
    ...given("out", values.out),
    resume: values.resume ?? false,
    limits: rows === undefined,
    full: rows === undefined && values.contenders === undefined,
  };
}

/**
 * The options of a small script, each with what reads its text or gives its default, and those that are there or not; a wrong one is said
 * in a sentence and ends it.
 */
export function scriptOptions<T extends Record<string, (text?: string) => unknown>, F extends string = never>(
  readers: T,
  flags: readonly F[] = [],
): { [K in keyof T]: ReturnType<T[K]> } & Record<F, boolean> {
  const names = Object.keys(readers);
  const types = [...names.map((name) => [name, "string"] as const), ...flags.map((name) => [name, "boolean"] as const)];
  try {
    const values = parse(Object.fromEntries(types.map(([name, type]) => [name, { type }])));
    const read = names.map((name) => [name, readers[name]!(values[name] as string | undefined)]);
    return Object.fromEntries([...read, ...flags.map((name) => [name, values[name] === true])]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
