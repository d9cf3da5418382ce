/**
 * What a file needs: the files that it imports, directly or not, with their lines.
 *
 *     node scripts/closure.mjs src/core.ts [--static] [--types] [--list]
 *
 * --static leaves out `await import(…)`, --types also follows `import type`, --list prints each file.
 * Packages of the workspace (`@expen/…`) are followed by the `source` condition of their exports.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [entry] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (!entry || !existsSync(entry)) {
  console.error("usage: node scripts/closure.mjs FILE [--static] [--types] [--list]");
  process.exit(2);
}

/** Packages of the workspace by name: folder and exports */
const folder = join(root, "packages");
const packages = new Map(
  (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, "package.json")))
    .map((path) => [JSON.parse(readFileSync(join(path, "package.json"), "utf8")), path])
    .map(([{ name, exports }, path]) => [name, { path, exports }]),
);

/** The file that a specifier means, or nothing where it is a package of others */
function fileOf(from, specifier) {
  if (specifier.startsWith(".")) {
    const path = resolve(dirname(from), specifier);
    return [path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx"), path].find((one) => existsSync(one));
  }
  for (const [name, { path, exports }] of packages) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const target = exports?.[`.${specifier.slice(name.length)}`];
    const source = typeof target === "string" ? target : (target?.source ?? target?.default);
    return source && join(path, source);
  }
  return undefined;
}

const STATEMENT = /(?:^|[;\n])\s*(import|export)\s+(type\s+)?((?:[\w*{][^;"']*?\sfrom\s*)?)"([^"]+)"/g;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** `import { type A, type B } from …` is for types alone, too. */
const namesTypesAlone = (names) => {
  const inside = /^\{([^}]*)\}\s*from/.exec(names.trim());
  return !!inside && inside[1].split(",").every((name) => name.trim() === "" || /^type\s/.test(name.trim()));
};

function importsOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, "");
  const found = [];
  for (const [, , type, names, specifier] of code.matchAll(STATEMENT)) {
    if (flags.includes("--types") || !(type || namesTypesAlone(names))) found.push(specifier);
  }
  if (!flags.includes("--static")) for (const [, specifier] of code.matchAll(DYNAMIC)) found.push(specifier);
  return found;
}

const lines = new Map();
const open = [resolve(entry)];
while (open.length > 0) {
  const file = open.pop();
  if (lines.has(file)) continue;
  const text = readFileSync(file, "utf8");
  lines.set(file, text.split("\n").length - 1);
  for (const specifier of importsOf(text)) {
    const target = fileOf(file, specifier);
    if (target) open.push(target);
  }
}

const sum = (all) => all.reduce((total, count) => total + count, 0);
if (flags.includes("--list")) {
  for (const [file, count] of [...lines].sort()) console.log(String(count).padStart(6), relative(root, file));
}
/** By folder below src, or by package */
const places = new Map();
for (const [file, count] of lines) {
  const [first, second] = relative(root, file).split("/");
  const rest = relative(root, file).split("/");
  const place = first === "packages" ? `packages/${second}` : rest.length > 2 ? `${first}/${second}` : first;
  const { files = 0, counts = 0 } = places.get(place) ?? {};
  places.set(place, { files: files + 1, counts: counts + count });
}
for (const [place, { files, counts }] of [...places].sort()) {
  console.log(`${place.padEnd(24)} ${String(files).padStart(4)} files ${String(counts).padStart(7)} lines`);
}
console.log(
  `${"in all".padEnd(24)} ${String(lines.size).padStart(4)} files ${String(sum([...lines.values()])).padStart(7)} lines`,
);
