/** The suite from the command line. */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { clockNamed } from "../contender.js";
import { families } from "./families.js";
import type { Family } from "./family.js";
import { ANY_PARTIAL, type AnyResults, keptAny, readAny, writeAny } from "./results.js";
import { benchAny } from "./run.js";

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchAnyFromArguments(args: string[]): Promise<number> {
  try {
    const names = [
      "suite",
      "families",
      "contenders",
      "seeds",
      "repeats",
      "threads",
      "clock",
      "tol",
      "limit",
      "out",
    ] as const;
    const texts = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ args, options: { ...texts, resume: { type: "boolean" } } });
    const given = values as Partial<Record<(typeof names)[number], string>> & { resume?: boolean };
    if (given.suite !== "any-f") {
      throw new RangeError(
        `--suite is '${given.suite}'; there are any-f, constraints and hartree-fock, and the paper's rows without --suite.`,
      );
    }
    const out = given.out ?? ANY_PARTIAL;
    const number = (name: "seeds" | "repeats" | "threads" | "tol" | "limit") => {
      const text = given[name];
      if (text === undefined) return {};
      if (!(Number(text) > 0)) throw new RangeError(`--${name} is '${text}'; it must be a positive number.`);
      return { [name]: Number(text) };
    };
    const save = (results: AnyResults): void => writeAny(out, results);
    const results = await benchAny({
      ...(given.families && { chosen: chooseFamilies(given.families) }),
      ...(given.contenders && { names: given.contenders.split(",") }),
      clock: clockNamed(given.clock),
      ...number("seeds"),
      ...number("repeats"),
      ...number("threads"),
      ...number("tol"),
      ...number("limit"),
      ...(given.resume && { before: readAny(out) }),
      save,
    });
    save(results);
    // a part of the suite must not take the place of a full run
    if (!given.families && !given.contenders && !given.out) {
      writeAny(keptAny(results), results);
      rmSync(ANY_PARTIAL);
      console.log(`\n${keptAny(results)}`);
    } else console.log(`\n${out}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

function chooseFamilies(text: string): Family[] {
  return text.split(",").map((word) => {
    const family = families.find(({ name }) => name === word.trim());
    if (family) return family;
    throw new RangeError(`--families: '${word}' is none of ${families.map(({ name }) => name).join(", ")}.`);
  });
}
