/** The options of an application as those of a command */
import type { OptionDescription } from "@expen/apps/objectives";
import { Option } from "commander";
import { oneOf } from "../input-error.js";
import { integer, list, real } from "../option-values.js";
import { otherSpelling } from "../problem-options.js";

/** British spellings and the American ones, which work and are not listed */
const SPELLINGS: Readonly<Record<string, string>> = { centre: "center", standardise: "standardize" };

export function flagsOf({ name, type, help, choices, required, default: on }: OptionDescription): Option[] {
  const flag = (text: string, words = help): Option => new Option(text, words).makeOptionMandatory(required === true);
  const other = SPELLINGS[name];
  switch (type) {
    case "boolean":
      return [
        on ? new Option(`--no-${name}`, `do not ${help}`) : flag(`--${name}`),
        ...(on ? [new Option(`--${name}`).hideHelp()] : []),
        ...(other ? [otherSpelling(`--${other}`, name, true)] : []),
        ...(other && on ? [otherSpelling(`--no-${other}`, name, false)] : []),
      ];
    case "choice":
      return [
        flag(`--${name} <name>`, `${help}: ${choices!.join(", ")}`).argParser((text) =>
          oneOf(`--${name}`, text, choices!),
        ),
      ];
    case "integers":
      return [flag(`--${name} <list>`).argParser((text) => list(text).map(integer(name, 1)))];
    case "integer":
      return [flag(`--${name} <number>`).argParser(integer(name, 1))];
    case "number":
      return [flag(`--${name} <number>`).argParser(real(name))];
  }
}
