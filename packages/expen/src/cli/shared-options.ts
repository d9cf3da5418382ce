/** Options that several solvers, or several problems, share. The help lists those of the solvers and problems that are named. */
import { type Command, Help, Option } from "commander";

/** One option, and the solvers or problems that have it */
export interface SharedOption<O> {
  option: O;
  owners: string[];
}

/**
 * Every option by its name, in the order of the catalogue: of each owner [name, options]. `isAlike`: whether two options of one name take
 * the same values; where they do not, the name has several entries.
 */
export function optionsByName<O>(
  catalogue: Iterable<readonly [owner: string, options: Iterable<readonly [name: string, option: O]>]>,
  isAlike: (a: O, b: O) => boolean = () => true,
): Map<string, SharedOption<O>[]> {
  const byName = new Map<string, SharedOption<O>[]>();
  for (const [owner, options] of catalogue) {
    for (const [name, option] of options) {
      const entries = byName.get(name) ?? [];
      byName.set(name, entries);
      const alike = entries.find((entry) => isAlike(entry.option, option));
      if (alike) alike.owners.push(owner);
      else entries.push({ option, owners: [owner] });
    }
  }
  return byName;
}

const ownersOf = new WeakMap<Option, readonly string[]>();

/** An option of some solvers or problems, under a heading of its own in the help */
export function ownedOption(flags: string, help: string, heading: string, owners: readonly string[]): Option {
  const option = new Option(flags, help).helpGroup(heading);
  ownersOf.set(option, owners);
  return option;
}

const FURTHER = new WeakSet<Option>();
/** The word that lists all options of a command */
export const HELP_ALL = "--help-all";

/** Options that `--help` leaves to `--help-all`: those that `add` gives to the command, or these options */
export function furtherOptions(command: Command, add: (() => void) | readonly Option[]): void {
  const before = command.options.length;
  if (typeof add === "function") add();
  const options = typeof add === "function" ? command.options.slice(before) : add;
  for (const option of options) FURTHER.add(option);
  command.helpOption("-h, --help", `these options; ${HELP_ALL} lists all of them`);
}

/** The options that the help lists: those of every run, and those of the solvers and problems among the words of the command line. */
export function listedOptions(words: readonly string[]): (command: Command) => Option[] {
  const names = new Set(words.flatMap((word) => word.split(/[=,]/)));
  const isListed = (option: Option): boolean => words.includes(HELP_ALL) || !FURTHER.has(option);
  const help = new Help();
  return (command) =>
    help
      .visibleOptions(command)
      .filter((option) => ownersOf.get(option)?.some((owner) => names.has(owner)) ?? isListed(option));
}
