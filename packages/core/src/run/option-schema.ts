/**
 * Options of solvers as data: flags of the command line with their help, fields of the page and checks of the library are made from the
 * schema of each solver.
 */

import { type Kind, nearest, requireKind, type Schema } from "@expen/linalg";
import type {
  Option,
  OptionName,
  SolverOptions,
  Schema as SolverSchema,
  Solvers,
  TextOption,
} from "../contracts/solver.js";
import { betaRules } from "../expen/beta-rules.js";
import { type CgRuleName, cgRules } from "../methods/cg-rules.js";
import { DEFAULT_SOLVER } from "./options.js";

/** Can its values be written as a word or a number, on a command line or in an address? */
export const isText = (option: Option): option is TextOption => option.kind !== "function" && option.kind !== "term";

/** The names among an option's values */
export const namesOf = (option: TextOption): readonly string[] =>
  option.kind === "choice" ? option.names : option.kind === "beta" ? betaRules : [];

function fits(option: Option, value: unknown): boolean {
  switch (option.kind) {
    case "integer":
      return (
        (Number.isSafeInteger(value) && (value as number) >= option.least) || (!!option.endless && value === Infinity)
      );
    case "choice":
      return option.names.includes(value as string);
    case "beta":
      return betaRules.some((rule) => rule === value) || (Number.isFinite(value) && (value as number) > 0);
    case "function":
      return typeof value === "function";
    case "term":
      return typeof value === "object" && value !== null;
  }
}

/** An option with the values of all of these, which are options of several solvers under one name */
export function widest(options: readonly Option[]): Option {
  const [first] = options as readonly [Option];
  if (first.kind === "choice") {
    const names = options.flatMap((option) => (option.kind === "choice" ? option.names : []));
    return { ...first, names: [...new Set(names)] };
  }
  if (first.kind !== "integer") return first;
  const integers = options.filter((option) => option.kind === "integer");
  const least = Math.min(...integers.map((option) => option.least));
  return { ...first, least, ...(integers.some(({ endless }) => endless) && { endless: true }) };
}

/** The end of the sentence “… must be” */
function demand(option: Option): string {
  switch (option.kind) {
    case "integer":
      return `a whole number, ${option.least} or more${option.endless ? ", or Infinity" : ""}`;
    case "choice":
      return `one of ${option.names.join(", ")}`;
    case "beta":
      return `a positive number or one of ${betaRules.join(", ")}`;
    case "function":
      return "a function";
    case "term":
      return "an object { kind, weight }, or a term";
  }
}

/** The values of the option, in words and as a test */
export const kindOf = (option: Option): Kind => ({
  description: demand(option),
  fits: (value) => fits(option, value),
});

/** The value of a text; `label` begins the sentence about a wrong one. */
export function readOption(label: string, option: TextOption, text: string): number | string {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const value = option.kind === "choice" || Number.isNaN(number) ? text : number;
  if (fits(option, value)) return value;
  const names = namesOf(option);
  const guess = typeof value === "string" ? nearest(value, names) : undefined;
  const hint = guess ? `; did you mean '${guess}'?` : ".";
  if (option.kind === "choice") throw new RangeError(`${label} '${text}' is none of ${names.join(", ")}${hint}`);
  throw new RangeError(`${label} is '${text}'; it must be ${demand(option)}${hint}`);
}

/** Throws a sentence about the first option of the schema that has a value of another kind. */
export function requireOptions(schema: SolverSchema, user: SolverOptions): void {
  for (const [name, option] of Object.entries(schema)) {
    const value = user[name as OptionName];
    if (value !== undefined) requireKind(name, kindOf(option), value);
  }
}

/** Every option of every solver: the values that `solver` takes, and of an option that it does not read those that some solver takes */
export function optionsOfSolvers(solvers: Solvers, solver: string = DEFAULT_SOLVER): Schema {
  const entries = Object.values(solvers);
  const own = Object.hasOwn(solvers, solver) ? solvers[solver]!.schema : {};
  const names = [...new Set(entries.flatMap(({ options }) => options))];
  const option = (name: OptionName) => own[name] ?? widest(entries.flatMap(({ schema }) => schema[name] ?? []));
  return Object.fromEntries(names.map((name) => [name, kindOf(option(name))]));
}

/** Options of several solvers; a solver adds its own default. */
export const beta = {
  kind: "beta",
  help: "penalty parameter",
  default: "auto",
} as const;
export const rule = {
  kind: "choice",
  help: "conjugate gradient rule",
  names: Object.keys(cgRules) as CgRuleName[],
} as const;
export const memory = { kind: "integer", help: "pairs of limited-memory methods", least: 1 } as const;
export const precondition = { kind: "function", help: "an approximate inverse of the Hessian" } as const;

/** The first name is the default. */
export const variant = <const N extends readonly [string, ...string[]]>(names: N) =>
  ({
    kind: "choice",
    help: "variant of the method",
    names: names as readonly N[number][],
    default: names[0] as N[number],
  }) as const;
