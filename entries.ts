/** The entries of the package: `expen` and `expen/name`, with their sources. package.json, tsconfig.json and typedoc.json name them too. */
import { fileURLToPath } from "node:url";

const NAMES = ["apps", "data", "engines", "methods", "penalty", "problems", "rivals", "tape"];

/** File by the name of its bundle: index, apps, data, … */
export const entries: Readonly<Record<string, string>> = Object.fromEntries([
  ["index", fileURLToPath(new URL("packages/expen/src/index.ts", import.meta.url))],
  ...NAMES.map((name) => [name, fileURLToPath(new URL(`src/entries/${name}.ts`, import.meta.url))]),
]);

/** The same for a bundler that takes `expen` from the sources */
export const aliases = Object.entries(entries).map(([name, replacement]) => ({
  find: name === "index" ? /^expen$/ : new RegExp(`^expen/${name}$`),
  replacement,
}));
