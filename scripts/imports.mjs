/** Who imports whom in the sources, for closure.mjs and entered.mjs. Packages of the workspace are followed by the condition `@expen/source` of their exports. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Packages of the workspace by name: folder and exports */
const folder = join(root, "packages");
const packages = new Map(
  (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, "package.json")))
    .map((path) => {
      const { name, exports } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      return [name, { path, exports }];
    }),
);

/** The file that a specifier means, or nothing where it is a package of others */
export function fileOf(from, specifier) {
  if (specifier.startsWith(".")) {
    const path = resolve(dirname(from), specifier);
    return [path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx"), path].find((one) => existsSync(one));
  }
  for (const [name, { path, exports }] of packages) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const target = exports?.[`.${specifier.slice(name.length)}`];
    const source = typeof target === "string" ? target : (target?.["@expen/source"] ?? target?.default);
    return source && join(path, source);
  }
  return undefined;
}

const STATEMENT = /(?:^|[;\n])\s*(?:import|export)\s+(type\s+)?((?:[\w*{][^;"']*?\sfrom\s*)?)"([^"]+)"/g;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** The names in `{ a, b as c, type D }`, as their file has them and as they are known from here; "*" for all of them */
function namesIn(clause) {
  const inside = /^\{([^}]*)\}\s*from/.exec(clause.trim());
  if (!inside) return [{ name: "*", as: /^\*\s+as\s+(\w+)/.exec(clause.trim())?.[1] ?? "*" }];
  const parts = inside[1].split(",").map((part) => part.trim());
  return parts
    .filter((part) => part !== "" && !/^type\s/.test(part))
    .map((part) => part.split(/\s+as\s+/))
    .map(([name, as = name]) => ({ name, as }));
}

/** The imports of a source, { specifier, names }: `types`, those of types too; `dynamic`, those of `await import(…)` too */
export function importsOf(text, { types = false, dynamic = true } = {}) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, "");
  const imports = [];
  for (const [, type, clause, specifier] of code.matchAll(STATEMENT)) {
    const names = types ? [{ name: "*", as: "*" }] : clause ? namesIn(clause) : [];
    if (types || (!type && (names.length > 0 || !clause))) imports.push({ specifier, names });
  }
  if (dynamic) {
    for (const [, specifier] of code.matchAll(DYNAMIC)) imports.push({ specifier, names: [{ name: "*", as: "*" }] });
  }
  return imports;
}

/** The files in which an index.ts finds these names; the index itself where it does not say */
function behindIndex(index, names, options) {
  const exports = importsOf(readFileSync(index, "utf8"), options);
  return names.flatMap(({ name }) => {
    const from = exports.find(({ names }) => names.some(({ as }) => as === name));
    const target = from && fileOf(index, from.specifier);
    if (!target) return [index];
    const own = from.names.filter(({ as }) => as === name);
    return isIndex(target) ? behindIndex(target, own, options) : [target];
  });
}
const isIndex = (file) => basename(file) === "index.ts";

export const linesOf = (text) => text.split("\n").length - 1;

/**
 * The files that an entry needs, itself among them, with their texts. Of an index.ts the files of the imported names alone, as bundlers do
 * with `sideEffects: false`; with `barrels` all that it imports.
 */
export function closureOf(entry, { barrels = false, ...options } = {}) {
  const texts = new Map();
  const open = [resolve(entry)];
  while (open.length > 0) {
    const file = open.pop();
    if (texts.has(file)) continue;
    const text = readFileSync(file, "utf8");
    texts.set(file, text);
    for (const { specifier, names } of importsOf(text, options)) {
      const target = fileOf(file, specifier);
      if (target) open.push(...(isIndex(target) && !barrels ? behindIndex(target, names, options) : [target]));
    }
  }
  return texts;
}

/** A line for each folder of src, or package, and their sum; before them, with `list`, one for each file */
export function report(lines, list) {
  const rows = [...lines].map(([file, count]) => [file.slice(root.length), count]).sort();
  if (list) for (const [file, count] of rows) console.log(String(count).padStart(6), file);
  const places = new Map();
  for (const [file, count] of rows) {
    const parts = file.split("/");
    const place = parts.length > 2 ? parts.slice(0, 2).join("/") : parts[0];
    const { files, sum } = places.get(place) ?? { files: 0, sum: 0 };
    places.set(place, { files: files + 1, sum: sum + count });
  }
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  for (const [place, { files, sum }] of [...places, ["in all", { files: rows.length, sum: total }]]) {
    console.log(`${place.padEnd(24)} ${String(files).padStart(4)} files ${String(sum).padStart(7)} lines`);
  }
}
