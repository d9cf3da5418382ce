/** What an application is to the command line: its files and options, and what of its answer is saved, said and printed as JSON. */
import type { Application, ApplicationOptions } from "../src/applications/index.js";
import type { View } from "../src/constraints/manifold.js";
import type { Matrix } from "../src/types.js";
import { InputError } from "./input-error.js";

/** Values of the options of all applications, as commander gives them */
export interface ApplicationFlags {
  p?: number;
  centre?: boolean;
  standardise?: boolean;
  weight?: number;
  kind?: string;
  delta?: number;
  contrast?: string;
  labels?: number;
  rotation?: string;
  reflections?: boolean;
  scaling?: boolean;
  largest?: boolean;
  ranks?: string;
  average?: string;
}

interface Answer extends Application<View> {
  /** what --out saves, and what it is */
  main: Matrix;
  mainName: string;
  /** lines for people */
  lines: [string, string][];
  /** numbers for --json */
  numbers: Record<string, unknown>;
}

export interface ApplicationEntry {
  readonly summary: string;
  /** what the files are, in words; the last may repeat */
  readonly files: readonly string[];
  readonly repeats?: boolean;
  readonly options: readonly (keyof ApplicationFlags)[];
  /** The files are no matrices: `solve` reads them itself, and has none in `files`. */
  readonly readsFiles?: boolean;
  solve(files: Matrix[], flags: ApplicationFlags, o: ApplicationOptions, paths: readonly string[]): Promise<Answer>;
}

export const list = (values: ArrayLike<number>, digits = 4): string =>
  Array.from(values, (v) => String(Number(v.toPrecision(digits)))).join("  ");
export const percent = (values: readonly number[]): string => values.map((v) => `${(100 * v).toFixed(2)} %`).join("  ");
/** the options that were given */
export const given = <K extends keyof ApplicationFlags>(
  flags: ApplicationFlags,
  ...keys: K[]
): Pick<ApplicationFlags, K> =>
  Object.fromEntries(keys.filter((k) => flags[k] !== undefined).map((k) => [k, flags[k]])) as Pick<ApplicationFlags, K>;

export function needed(flags: ApplicationFlags, key: "p" | "weight" | "labels", application: string): number {
  const value = flags[key];
  if (value === undefined) throw new InputError(`--app ${application} needs --${key}.`);
  return value;
}
