/** The options of the solvers on a command, as the schemas of their entries describe them. */

import type { StiefelOptions } from "@expen/core";
import { isText, namesOf, type OptionName, readOption, type SolverOptions, type TextOption } from "@expen/core";
import { type SolverName, solvers } from "@expen/solvers";
import type { Command } from "commander";
import { InputError, messageOf } from "./input-error.js";
import { optionsByName, ownedOption } from "./shared-options.js";

/** The values as commander stores them */
export type SolverFlags = Pick<SolverOptions, OptionName>;

const HEADING = "Options of the solver:";
const PLACEHOLDERS = { integer: "count", choice: "name", beta: "rule" };

const namesOfSolvers = Object.keys(solvers) as SolverName[];

/** The options of a solver that can be written on a command line, by name */
const textOptions = (solver: SolverName): [string, TextOption][] =>
  Object.entries(solvers[solver].schema).filter((entry): entry is [string, TextOption] => isText(entry[1]));

const byName = optionsByName<TextOption>(
  namesOfSolvers.map((solver) => [solver, textOptions(solver)] as const),
  (a, b) => String(namesOf(a)) === String(namesOf(b)),
);

const values = (option: TextOption): string =>
  [...namesOf(option), ...(option.kind === "beta" ? ["a positive number"] : [])].join(", ");

/** Whether an option belongs to some solver */
export const isOfSolvers = (name: string): boolean => byName.has(name);

export function addSolverFlags(command: Command): void {
  for (const [name, entries] of byName) {
    const { help, kind } = entries[0]!.option;
    const each = entries.map(({ option, owners }) => `${values(option)} (${owners.join(", ")})`.trim());
    const text = `${help}${kind === "integer" ? "" : ":"} ${each.join("; ")}`;
    const owners = entries.flatMap((entry) => entry.owners);
    command.addOption(
      ownedOption(`--${name} <${PLACEHOLDERS[kind]}>`, text, HEADING, owners)
        // where the values differ between solvers, `solverOptions` reads the text
        .argParser((text) => (entries.length === 1 ? read(name, entries[0]!.option, text) : text)),
    );
  }
}

function read(name: string, option: TextOption, text: string): number | string {
  try {
    return readOption(`--${name}`, option, text);
  } catch (error) {
    throw new InputError(messageOf(error), { cause: error });
  }
}

/** The values of the flags that the solver has. Another flag is refused, or left out where several solvers share the flags. */
export function solverOptions(solver: SolverName, flags: SolverFlags, shared = false): Partial<StiefelOptions> {
  const own = new Map(textOptions(solver));
  const options: Record<string, unknown> = {};
  for (const name of byName.keys()) {
    const value = flags[name as OptionName];
    const option = own.get(name);
    if (value === undefined) continue;
    if (option) options[name] = read(name, option, String(value));
    else if (!shared) {
      const has = own.size > 0 ? `; it has ${[...own.keys()].map((key) => `--${key}`).join(", ")}` : "";
      throw new InputError(`solver ${solver} has no --${name}${has}.`);
    }
  }
  return options;
}
