/** The options of the built-in problems on a command: declared once in packages/experiments/src/problems/catalog.ts, read here. */

import { loadMatrix, loadOperator } from "@expen/data";
import { type CatalogEntry, type ProblemOption, problems } from "@expen/experiments/problems";
import { type Command, Option } from "commander";
import { withColumns } from "./columns.js";
import { InputError, oneOf } from "./input-error.js";
import { anyInteger, list, real } from "./option-values.js";

const HEADING = "Options of the problems:";

/** Every option of every problem, one line each; which problem has it is said in the help. */
export function addProblemOptions(command: Command): void {
  const byName = new Map<string, { option: ProblemOption; of: string[] }>();
  for (const { name, options } of problems.values()) {
    for (const option of options) {
      const known = byName.get(option.name);
      if (known) known.of.push(name);
      else byName.set(option.name, { option, of: [name] });
    }
  }
  const columns = "which columns of the files, by names or numbers from 1: 1-4,7";
  command.addOption(new Option("--columns <list>", columns).helpGroup(HEADING));
  for (const [name, { option, of }] of byName) {
    const help = `${of.length > 1 ? fileOrNumber(option) : option.help} (${of.join(", ")})`;
    if (option.type === "boolean") {
      command.addOption(new Option(`--${name}`, help).helpGroup(HEADING));
      command.addOption(new Option(`--no-${name}`, `not --${name}`).helpGroup(HEADING));
      if (name === "centre") {
        command.addOption(otherSpelling("--center", name, true)).addOption(otherSpelling("--no-center", name, false));
      }
    } else {
      command.addOption(new Option(`--${name} <${placeholder(option)}>`, help).helpGroup(HEADING));
    }
  }
}

/** An option under another spelling, which the help leaves out */
export const otherSpelling = (flag: string, name: string, value: boolean): Option =>
  new Option(flag).implies({ [name]: value }).hideHelp();

/** Throws a sentence where two spellings of an option say two things. */
export function requireOneSpelling({ centre, center }: Record<string, unknown>): void {
  if (center === undefined || center === centre) return;
  const [one, other] = [`--${center ? "" : "no-"}center`, `--${centre ? "" : "no-"}centre`];
  throw new InputError(`${one} and ${other} contradict each other; give one of the two.`);
}

const isFile = ({ type }: ProblemOption): boolean => type === "matrix" || type === "operator" || type === "matrices";
const placeholder = (o: ProblemOption): string =>
  isFile(o) ? (o.type === "matrices" ? "files" : "file") : o.type === "choice" ? o.choices!.join("|") : "number";
const fileOrNumber = (o: ProblemOption): string => (isFile(o) ? "matrix from a file, seeded if absent" : o.help);

/** The names of all problem options, as commander keeps them. */
const allNames = new Set([...problems.values()].flatMap((entry) => entry.options.map((o) => o.name)));

/** The values given for `entry`, matrices read from their files; options of other problems are refused. */
export async function readProblemOptions(
  entry: CatalogEntry,
  given: Record<string, unknown>,
  notes: string[],
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name of allNames) {
    const value = given[name];
    if (value === undefined) continue;
    const option = entry.options.find((o) => o.name === name);
    if (!option) {
      const has = entry.options.map((o) => `--${o.name}`).join(", ");
      throw new InputError(`${entry.name} has no option --${name}; it has ${has || "none of its own"}.`);
    }
    values[name] = typeof value === "boolean" ? value : await readValue(option, String(value), notes, given.columns);
  }
  if (
    given.columns !== undefined &&
    !Object.keys(values).some((name) => entry.options.some((o) => o.name === name && isFile(o)))
  ) {
    throw new InputError("--columns: no file of numbers is given; name one, as in --A data.csv.");
  }
  return values;
}

async function readValue(option: ProblemOption, text: string, notes: string[], columns: unknown): Promise<unknown> {
  switch (option.type) {
    case "number":
      return real(option.name)(text);
    case "integer":
      return anyInteger(option.name)(text);
    case "choice":
      return oneOf(`--${option.name}`, text, option.choices!);
    case "boolean":
      return text !== "false";
    case "matrix":
      return one(withColumns(columns, (o) => loadMatrix(text, o)));
    case "operator":
      return one(withColumns(columns, (o) => loadOperator(text, o)));
    case "matrices":
      return Promise.all(list(text).map((file) => one(withColumns(columns, (o) => loadMatrix(file, o)))));
  }

  async function one<M>(loading: Promise<{ matrix: M; notes: string[] }>): Promise<M> {
    const loaded = await loading;
    notes.push(...loaded.notes.map((note) => `${text}: ${note}`));
    return loaded.matrix;
  }
}

export function refuseProblemOptions(file: string, given: Record<string, unknown>): void {
  for (const name of [...allNames, "columns"]) {
    if (given[name] !== undefined) {
      throw new InputError(`--${name} is an option of built-in problems; ${file} takes n, p and seed only.`);
    }
  }
}
