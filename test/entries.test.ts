/** The names of each entry of `expen`, types too: what is added or taken away shows in test/entries.snapshot. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root, umbrella } from "./workspace.js";

/** Names that a reader of the first page can take in */
const MOST_NAMES = 60;
/** One thing under two names of subjects, or two things with one name: pca of data, and its problem */
const TWICE = ["Molecule", "pca"];

const program = ts.createProgram([...umbrella.values()], {
  customConditions: ["@expen/source"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  noLib: true,
  types: [],
});
const checker = program.getTypeChecker();

/** The exports of an entry, those that are types alone apart */
function namesOf(source: string): { values: string[]; types: string[] } {
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(source)!)!);
  const isValue = (symbol: ts.Symbol): boolean => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (target.flags & ts.SymbolFlags.Value) !== 0;
  };
  const names = (values: boolean): string[] =>
    symbols
      .filter((symbol) => isValue(symbol) === values)
      .map(({ name }) => name)
      .sort();
  return { values: names(true), types: names(false) };
}
const namesByEntry = new Map([...umbrella].map(([entry, source]) => [entry, namesOf(source)]));
const all = ({ values, types }: ReturnType<typeof namesOf>): string[] => [...values, ...types];

test("every entry has the names that the snapshot shows", async () => {
  const text = [...namesByEntry].map(([entry, names]) => {
    return `${entry}: ${all(names).length}\n  ${names.values.join(" ")}\n  types: ${names.types.join(" ")}\n`;
  });
  await expect(text.join("\n")).toMatchFileSnapshot("entries.snapshot");
});

test(`the main entry has ${MOST_NAMES} names at most`, () => {
  expect(all(namesByEntry.get("expen")!).length).toBeLessThanOrEqual(MOST_NAMES);
});

test("a name has one entry", () => {
  const names = [...namesByEntry.values()].flatMap(all);
  expect([...new Set(names.filter((name, i) => names.indexOf(name) !== i))].sort()).toEqual(TWICE);
});

test("the command line hands all of them to a user's file", () => {
  const text = readFileSync(join(root, "packages/expen/src/cli/own-modules.ts"), "utf8");
  const handed = [...text.matchAll(/import\("\.\.\/(.*)\.js"\)/g)].map(([, path]) => `${basename(path!)}.ts`);
  expect(handed.sort()).toEqual([...umbrella.values()].map((source) => basename(source)).sort());
});
