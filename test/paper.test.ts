/** docs/paper.md and the list beside the code name the files of the paper. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const page = resolve(import.meta.dirname, "../docs/paper.md");
const rows = readFileSync(page, "utf8")
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => line.slice(2, -2).split(" | "));

const LINK = /\[[^\]]*\]\(([^)#]+)\)/g;
const filesOf = (cell: string): string[] => [...cell.matchAll(LINK)].map(([, path]) => join(dirname(page), path!));
/** "(2.2)", "Lemma 3.11", "Algorithm 1", … as the comments of the code and the titles of the tests write them */
const labelsOf = (cell: string): string[] =>
  cell.match(/\(\d\.\d\)|(?:Prop\.|Lemma|Theorem|Algorithm|Remark|Section|Table) \d(?:\.\d+)?/g) ?? [];
const textOf = (files: string[]): string => files.map((file) => readFileSync(file, "utf8")).join("\n");
const holds = (text: string, label: string): boolean => {
  const escaped = label.replace(/[.()]/g, "\\$&");
  return new RegExp(`${escaped}(?!\\d)`, "i").test(text);
};
/** Whether a file exports the name, by a declaration or in braces */
const exportsName = (file: string, name: string): boolean =>
  new RegExp(
    `export (?:async )?(?:const|function\\*?|interface|type|class) ${name}\\b|export \\{[^}]*\\b${name}\\b`,
  ).test(readFileSync(file, "utf8"));

test("the table has the statements that the folder is about", () => {
  const labels = rows.flatMap(([statement]) => labelsOf(statement!));
  for (const label of [
    "(1.1)",
    "Prop. 2.8",
    "Prop. 2.9",
    "Theorem 3.6",
    "Prop. 3.9",
    "Lemma 3.11",
    "Algorithm 1",
    "Theorem 4.2",
  ])
    expect(labels).toContain(label);
});

describe.each(rows)("%s", (statement, _says, code, tested) => {
  const [sources, tests] = [filesOf(code!), filesOf(tested!)];

  test("its files are there", () => {
    for (const file of [...sources, ...tests]) expect(existsSync(file), file).toBe(true);
    expect(tests.length).toBeGreaterThan(0);
  });

  test("each name is exported by the file before it", () => {
    const parts = code === "–" ? [] : code!.split("; ");
    const missing = parts.flatMap((part) => {
      const names = [...part.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
      if (names.length === 0) return [`no name in ${part}`];
      return names.filter((name) => !exportsName(filesOf(part)[0]!, name));
    });
    expect(missing).toEqual([]);
  });

  test("the code names the statement, and so does a test", () => {
    const inTests = textOf(tests);
    const inSources = sources.length ? textOf(sources) : inTests;
    expect(labelsOf(statement!).filter((label) => !holds(inSources, label) || !holds(inTests, label))).toEqual([]);
  });
});

test("the entry of the folder exports each of its names", async () => {
  const folder = dirname(filesOf(rows[0]![2]!)[0]!);
  const entry: object = await import(join(folder, "index.ts"));
  const names = rows
    .flatMap(([, , code]) => code!.split("; "))
    .filter((part) => filesOf(part).some((file) => dirname(file) === folder))
    .flatMap((part) => [...part.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !(name in entry))).toEqual([]);
});

test("the list beside the code has each of its files once", () => {
  const folder = dirname(filesOf(rows[0]![2]!)[0]!);
  const listed = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/`([\w-]+\.ts)`/g)].map(
    ([, name]) => name!,
  );
  const present = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "index.ts");
  expect(listed.toSorted()).toEqual(present.map((name) => basename(name)).toSorted());
});
