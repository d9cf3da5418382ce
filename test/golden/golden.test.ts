/**
 * Runs are what they were, to the bit: a refactoring announces in its commit what it changes here.
 * EXPEN_GOLDEN=write npx vitest run golden   writes the file anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Golden, runs } from "./runs.js";

const file = new URL("./golden.json", import.meta.url);
const writes = process.env.EXPEN_GOLDEN === "write";
const known: Record<string, Golden> = writes ? {} : JSON.parse(readFileSync(file, "utf8"));

test("every run has a name of its own, and no other is known", () => {
  const names = runs.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  if (!writes) expect(Object.keys(known).sort()).toEqual([...names].sort());
});

test.each(runs)("%s", async (name, run) => {
  const numbers = await run();
  if (writes) known[name] = numbers;
  expect(numbers).toEqual(known[name]);
});

test.runIf(writes)("the file is written", () => {
  const lines = Object.entries(known).map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
  expect(lines.length).toBe(runs.length);
});
