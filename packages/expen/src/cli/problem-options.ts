/** The options of the built-in problems on a command, as the catalogue of problems describes them. */

import { loadMatrix, loadOperator } from "@expen/data";
import { type CatalogEntry, type ProblemOption, problems } from "@expen/experiments/problems";
import { type Command, Option } from "commander";
import { withColumns } from "./columns.js";
import { InputError, oneOf } from "./input-error.js";
import { anyInteger, list, real } from "./option-values.js";
import { optionsByName, ownedOption, type SharedOption } from "./shared-options.js";

const HEADING = "Options of the problem:";

const byName = optionsByName(
  [...problems.values()].map(
    ({ name, options }) => [name, options.map((option) => [option.name, option] as const)] as const,
  ),
);

export function addProblemOptions(command: Command): void {
  const every = [...problems.keys()];
  const columns = "columns of the files to read, by name or by number from 1: 1-4,7";
  command.addOption(ownedOption("--columns <list>", columns, HEADING, every));
  for (const [name, [{ option, owners }]] of byName as Map<string, [SharedOption<ProblemOption>]>) {
    const help = `${owners.length > 1 ? fileOrNumber(option) : option.help} (${owners.join(", ")})`;
    const add = (flags: string, text: string) => command.addOption(ownedOption(flags, text, HEADING, owners));
    if (option.type === "boolean") {
      add(`--${name}`, help);
      add(`--no-${name}`, `not --${name}`);
      if (name === "centre") {
        command.addOption(otherSpelling("--center", name, true)).addOption(otherSpelling("--no-center", name, false));
      }
    } else add(`--${name} <${placeholder(option)}>`, help);
  }
}

/** An option under another spelling; the help does not list it. */
export const otherSpelling = (flag: string, name: string, value: boolean): Option =>
  new Option(flag).implies({ [name]: value }).hideHelp();

/** Throws a sentence where two spellings of one option contradict each other. */
export function requireOneSpelling({ centre, center }: Record<string, unknown>): void {
  if (center === undefined || center === centre) return;
  const [one, other] = [`--${center ? "" : "no-"}center`, `--${centre ? "" : "no-"}centre`];
  throw new InputError(`${one} and ${other} contradict each other; give one of the two.`);
}

const isFile = ({ type }: ProblemOption): boolean => type === "matrix" || type === "operator" || type === "matrices";
const placeholder = (o: ProblemOption): string =>
  isFile(o) ? (o.type === "matrices" ? "files" : "file") : o.type === "choice" ? o.choices!.join("|") : "number";
const fileOrNumber = (o: ProblemOption): string =>
  isFile(o) ? "file with the matrix; left out: a seeded one" : o.help;

/** The values given for `entry`, matrices read from their files; options of other problems are refused. */
export async function readProblemOptions(
  entry: CatalogEntry,
  raw: Record<string, unknown>,
  notes: string[],
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name of byName.keys()) {
    const value = raw[name];
    if (value === undefined) continue;
    const option = entry.options.find((o) => o.name === name);
    if (!option) {
      const has = entry.options.map((o) => `--${o.name}`).join(", ");
      throw new InputError(`${entry.name} has no option --${name}; it has ${has || "none of its own"}.`);
    }
    values[name] = typeof value === "boolean" ? value : await readValue(option, String(value), notes, raw.columns);
  }
  if (
    raw.columns !== undefined &&
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

export function refuseProblemOptions(file: string, flags: Record<string, unknown>): void {
  for (const name of [...byName.keys(), "columns"]) {
    if (flags[name] !== undefined) {
      throw new InputError(`--${name} is an option of built-in problems; ${file} takes n, p and seed only.`);
    }
  }
}
