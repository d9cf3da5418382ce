/** The options of an entrant, from the text of the address to what the solver takes. */

import type { SolverName } from "expen";
import { isText, namesOf, readOption, type StiefelOptions, solvers } from "expen/methods";
import type { OptionField } from "../protocol.js";

export function entrantOptions(solver: string, given: Record<string, string>): Partial<StiefelOptions> {
  if (!Object.hasOwn(solvers, solver)) {
    throw new RangeError(`solver '${solver}' is none of ${Object.keys(solvers).join(", ")}.`);
  }
  const chosenOptions: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(solvers[solver as SolverName].schema)) {
    const text = given[name]?.trim();
    if (text && isText(option)) chosenOptions[name] = readOption(symbol(name), option, text);
  }
  return chosenOptions;
}

/** The options of a solver that the page shows */
export function optionFields(solver: SolverName): OptionField[] {
  return Object.entries(solvers[solver].schema).flatMap(([name, option]) => {
    if (!isText(option)) return [];
    const { kind, help, default: standard } = option;
    const fixed = kind === "choice";
    return { name, label: symbol(name), help, names: [...namesOf(option)], fixed, absent: String(standard ?? "usual") };
  });
}

const symbol = (name: string): string => (name === "beta" ? "β" : name);
