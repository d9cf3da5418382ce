/** The options of the solvers on a command: declared once with each solver's entry (src/solvers/catalog-*.ts), read here. */

import type { StiefelOptions } from "@expen/core";
import { isText, namesOf, type OptionName, readOption, type SolverOptions, type TextOption } from "@expen/core";
import { type SolverName, solvers } from "@expen/solvers";
import { type Command, Option } from "commander";
import { InputError, messageOf } from "./input-error.js";

/** As commander keeps them */
export type SolverFlags = Pick<SolverOptions, OptionName>;

const HEADING = "Options of the solvers:";
const PLACEHOLDERS = { integer: "count", choice: "name", beta: "rule" };

/** Options of one name, and the solvers that have it with the same values */
type Group = { option: TextOption; of: SolverName[] };

/** Every option by name, in the order of the catalogue; several groups where solvers have other values. */
function groups(): Map<OptionName, Group[]> {
  const byName = new Map<OptionName, Group[]>();
  for (const solver of Object.keys(solvers) as SolverName[]) {
    for (const [key, option] of Object.entries(solvers[solver].schema)) {
      if (!isText(option)) continue;
      const known = byName.get(key as OptionName) ?? [];
      byName.set(key as OptionName, known);
      const alike = known.find((group) => String(namesOf(group.option)) === String(namesOf(option)));
      if (alike) alike.of.push(solver);
      else known.push({ option, of: [solver] });
    }
  }
  return byName;
}

const values = (option: TextOption): string =>
  [...namesOf(option), ...(option.kind === "beta" ? ["a positive number"] : [])].join(", ");

/** One line each; which solver has it, and with which values, is said in the help. */
export function addSolverFlags(command: Command): void {
  for (const [name, known] of groups()) {
    const { help, kind } = known[0]!.option;
    const each = known.map(({ option, of }) => [values(option), `(${of.join(", ")})`].filter(Boolean).join(" "));
    const text = `${help}${kind === "integer" ? "" : ":"} ${each.join("; ")}`;
    command.addOption(
      new Option(`--${name} <${PLACEHOLDERS[kind]}>`, text)
        .helpGroup(HEADING)
        // where solvers differ, theirs decides
        .argParser((text) => (known.length === 1 ? read(name, known[0]!.option, text) : text)),
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

/** The options a solver reads; one that it does not read is refused, or left out where several solvers share the flags. */
export function solverOptions(solver: SolverName, flags: SolverFlags, shared = false): Partial<StiefelOptions> {
  const { schema } = solvers[solver];
  const taken: Record<string, unknown> = {};
  for (const name of groups().keys()) {
    const given = flags[name];
    if (given === undefined) continue;
    const option = schema[name];
    if (option && isText(option)) taken[name] = read(name, option, String(given));
    else if (!shared) throw new InputError(`solver ${solver} has no --${name}${others(solver)}.`);
  }
  return taken;
}

function others(solver: SolverName): string {
  const has = Object.entries(solvers[solver].schema).filter(([, option]) => isText(option));
  return has.length > 0 ? `; it has ${has.map(([name]) => `--${name}`).join(", ")}` : "";
}
