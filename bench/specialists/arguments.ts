import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { clockNamed } from "../contender.js";
import {
  keptSpecialists,
  readSpecialists,
  SPECIALISTS_PARTIAL,
  type SpecialistResults,
  writeSpecialists,
} from "./results.js";
import { benchSpecialists } from "./run.js";
import { fields } from "./tasks.js";

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchSpecialistsFromArguments(args: string[]): Promise<number> {
  try {
    const texts = Object.fromEntries(
      ["suite", "fields", "threads", "clock", "limit", "out"].map((name) => [name, { type: "string" as const }]),
    );
    const { values } = parseArgs({ args, options: { ...texts, resume: { type: "boolean" } } });
    const given = values as Partial<Record<string, string>> & { resume?: boolean };
    const out = given.out ?? SPECIALISTS_PARTIAL;
    const number = (name: string) => {
      const text = given[name];
      if (text === undefined) return {};
      if (!(Number(text) > 0)) throw new RangeError(`--${name} is '${text}'; it must be a positive number.`);
      return { [name]: Number(text) };
    };
    const save = (results: SpecialistResults): void => writeSpecialists(out, results);
    const results = await benchSpecialists({
      ...(given.fields && { chosen: chooseFields(given.fields) }),
      clock: clockNamed(given.clock),
      ...number("threads"),
      ...number("limit"),
      ...(given.resume && { before: readSpecialists(out) }),
      save,
    });
    const kept = given.fields || given.out ? out : keptSpecialists(results);
    writeSpecialists(kept, results);
    if (kept !== out) rmSync(out);
    console.log(`\n${kept}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

function chooseFields(text: string): string[] {
  return text.split(",").map((word) => {
    if (fields.includes(word.trim())) return word.trim();
    throw new RangeError(`--fields: '${word}' is none of ${fields.join(", ")}.`);
  });
}
