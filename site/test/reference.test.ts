/** The reference: every name is there with what it says of itself; the examples print what stands beside them. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { examplesOf } from "../build/examples.js";
import { optionsWithoutComment, readReference, withoutComment, withoutExample } from "../build/reference.js";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "site/reference");
const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
/** EXPEN_DOCS=write writes what the examples print beside them. */
const isWritten = process.env.EXPEN_DOCS === "write";

const modules = readReference(root);

test("the names of every entry are those that it exports", async () => {
  for (const { short, entries } of modules) {
    if (short === "types") continue;
    const names = Object.keys(await import(short === "expen" ? "expen" : `expen/${short}`));
    expect(
      entries
        .filter(({ kind }) => kind !== "type")
        .map(({ name }) => name)
        .sort(),
      short,
    ).toEqual(names.sort());
    for (const { declaration, file } of entries) {
      expect(declaration.length).toBeGreaterThan(5);
      expect(file).toMatch(/^packages\/\w+\/src\/.+\.ts$/);
    }
  }
});

test("functions have examples; names and options have comments", () => {
  const [examples, comments] = [withoutExample(modules), withoutComment(modules)];
  expect(examples).toEqual([]);
  expect(comments).toEqual([]);
  expect(optionsWithoutComment(modules)).toEqual([]);
});

test("examples are of names that there are", () => {
  for (const file of files) {
    const module = modules.find(({ short }) => `${short}.ts` === file);
    const names = new Set(module?.entries.map(({ name }) => name));
    const strange = [...examplesOf(readFileSync(join(folder, file), "utf8")).keys()].filter((name) => !names.has(name));
    expect(strange, file).toEqual([]);
  }
});

const PRINT = /^(\s*(?:console\.log\(.*)?\);) \/\/.*$/;

test.each(files)("the examples of %s print what stands beside them", async (file) => {
  const printed: string[] = [];
  const log = vi
    .spyOn(console, "log")
    .mockImplementation((...values) => void printed.push(values.map(String).join(" ")));
  await import(/* @vite-ignore */ join(folder, file));
  log.mockRestore();
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  const places = lines.flatMap((line, i) => (PRINT.test(line) ? [i] : []));
  expect(printed).toHaveLength(places.length);
  for (const [k, i] of places.entries()) {
    const line = lines[i]!.replace(PRINT, `$1 // ${printed[k]!.replaceAll("$", "$$$$")}`);
    if (!isWritten) expect(lines[i]).toBe(line);
    lines[i] = line;
  }
  if (isWritten) writeFileSync(join(folder, file), lines.join("\n"));
});
