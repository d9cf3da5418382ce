/** The order of packages, the size of files, and the language of the source. docs/architecture.md shows the packages in this order. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { bareConstants, type Finding, headlessSentences, participles } from "./language.js";

/** A package imports only those that stand before it; `only`: and of these no others. */
const ORDER: { name: string; only?: string[] }[] = [
  { name: "linalg", only: [] },
  { name: "core", only: ["linalg"] },
  { name: "tape", only: ["linalg", "core"] },
  { name: "eigen", only: ["linalg", "core"] },
  { name: "engines", only: ["linalg"] },
  { name: "data", only: ["linalg"] },
  { name: "solvers", only: ["linalg", "core", "eigen", "engines"] },
  { name: "apps" },
  { name: "experiments" },
  { name: "expen" },
];
/** characters: two files side by side on a wide screen */
const LONGEST_LINE = 140;
/** lines: a file is read at one sitting */
const LONGEST_FILE = 250;

const root = resolve(import.meta.dirname, "..");
const files = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".generated.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, "");
const manifest = (folder: string): Record<string, Record<string, string>> & { name: string } =>
  JSON.parse(read(`${folder}/package.json`));

const folders = ORDER.map(({ name }) => `packages/${name}`);
const sources = new Map(
  folders.flatMap((folder) => files(`${folder}/src`)).map((path) => [path, withoutComments(read(path))]),
);
const folderOf = (path: string): string => /^packages\/\w+|^\w+/.exec(path)![0];

const FROM = /(?:^|[}\s*])from "([^"]+)";?$|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm;
/** Imports of types too: they say what has to be read to understand a file. */
const importsOf = (text: string): string[] => [...text.matchAll(FROM)].map((m) => (m[1] ?? m[2] ?? m[3])!);
const target = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier);
/** "@expen/linalg/dense" → "@expen/linalg" */
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0];
const isOurs = (name: string): boolean => name === "expen" || name.startsWith("@expen/");

test("every package stands in the order", () => {
  const all = readdirSync(join(root, "packages")).filter((name) => name !== "testing");
  expect(all.sort()).toEqual(ORDER.map(({ name }) => name).sort());
});

test("docs/architecture.md shows the packages in this order", () => {
  const rows = [...read("docs/architecture.md").matchAll(/^\| `(?:@expen\/)?(\w+)` +\|/gm)].map((m) => m[1]!);
  expect(rows.slice(0, ORDER.length)).toEqual(ORDER.map(({ name }) => name));
});

test("a package imports only those before it", () => {
  const wrong = [...sources].flatMap(([path, text]) => {
    const at = ORDER.findIndex(({ name }) => folderOf(path) === `packages/${name}`);
    const allowed = (ORDER[at]!.only ?? ORDER.slice(0, at).map(({ name }) => name)).map((name) => `@expen/${name}`);
    return importsOf(text)
      .filter((specifier) => isOurs(packageOf(specifier)) && !allowed.includes(packageOf(specifier)))
      .map((specifier) => `${path} → ${specifier}`);
  });
  expect(wrong).toEqual([]);
});

const workspaces = [...folders, "packages/testing", "playground", "site", "bench"];

test("no relative import leaves a package", () => {
  const leaving = workspaces.flatMap((folder) =>
    files(folder).flatMap((path) =>
      importsOf(withoutComments(read(path)))
        .filter((specifier) => specifier.startsWith(".") && !target(path, specifier).startsWith(`${folder}/`))
        .map((specifier) => `${path} → ${specifier}`),
    ),
  );
  // the settings of a build and the data of examples are those of the repository
  expect(leaving.filter((one) => !/\/(scripts|examples\/data)\//.test(one))).toEqual([]);
});

test("what a package imports by name it declares, and nothing else", () => {
  for (const folder of folders) {
    const { dependencies = {}, optionalDependencies = {} } = manifest(folder);
    const own = [...sources].filter(([path]) => folderOf(path) === folder);
    const imports = own.flatMap(([, text]) => importsOf(text)).filter((name) => !/^(\.|node:)/.test(name));
    const used = new Set(imports.map(packageOf));
    expect(Object.keys(dependencies).sort(), folder).toEqual([...used].sort());
    for (const name of Object.keys(optionalDependencies))
      expect(own.some(([, text]) => text.includes(`"${name}"`))).toBe(true);
  }
});

test("packages are of one version and name each other with it", () => {
  const { version } = manifest(".");
  for (const folder of workspaces) {
    const { version: own, dependencies = {} } = manifest(folder);
    expect(own, folder).toBe(version);
    for (const [name, range] of Object.entries(dependencies)) if (isOurs(name)) expect(range, folder).toBe(version);
  }
});

test("no circle of imports in a package", () => {
  const graph = new Map(
    [...sources].map(([path, text]) => [
      path,
      importsOf(text)
        .filter((name) => name.startsWith("."))
        .map((name) => target(path, name).replace(/\.js$/, ".ts")),
    ]),
  );
  // files whose imports are all gone leave, until none is left or a circle
  for (let size = -1; size !== graph.size; ) {
    size = graph.size;
    for (const [path, others] of graph) if (!others.some((other) => graph.has(other))) graph.delete(path);
  }
  expect([...graph.keys()]).toEqual([]);
});

test(`lines have at most ${LONGEST_LINE} characters, files at most ${LONGEST_FILE} lines`, () => {
  const texts = [...sources.keys()]
    .filter((path) => !path.startsWith("packages/expen/src/cli/"))
    .map((path) => [path, read(path).split("\n")] as const);
  expect(texts.filter(([, lines]) => lines.some((line) => line.length > LONGEST_LINE)).map(([path]) => path)).toEqual(
    [],
  );
  expect(texts.filter(([, lines]) => lines.length - 1 > LONGEST_FILE).map(([path]) => path)).toEqual([]);
});

/** Packages of which an algorithm sees matrices by the operations of the engine alone */
const BY_OPERATIONS = ["core", "eigen"];
/** Plain matrices: a start, bounds, what a user's f got, the matrix of a proof */
const READS_NUMBERS =
  /\/(run\/given-start|sets\/limits|certify\/operator-matrix|proofs\/\S+|check\/\S+|manifolds\/reflections)\.ts$/;

test("the numbers of a matrix are read by engines, arrays and data, not by algorithms", () => {
  const reads = /\.data\b|\{[^{}]*\bdata\b[^{}:]*\} = /;
  const readers = [...sources]
    .filter(([path]) => BY_OPERATIONS.some((name) => path.startsWith(`packages/${name}/`)) && !READS_NUMBERS.test(path))
    .filter(([, text]) => reads.test(text.replace(/"[^"\n]*"/g, '""')))
    .map(([path]) => path);
  expect(readers).toEqual([]);
});

/** How many are left, by package. The numbers may only fall. */
const LANGUAGE: { title: string; find: (text: string) => Finding[]; most: Record<string, number> }[] = [
  {
    title: "declarations named by a participle",
    find: participles,
    most: { linalg: 2, core: 20, solvers: 1, expen: 1 },
  },
  {
    title: "sentences of comments that begin with What, Who, So or That which, or contain nobody",
    find: headlessSentences,
    most: {},
  },
  {
    title: "numeric constants without a doc comment",
    find: bareConstants,
    most: {},
  },
];

describe.each(LANGUAGE)("$title", ({ find, most }) => {
  test.each(ORDER)("$name", ({ name }) => {
    const findings = [...sources.keys()]
      .filter((path) => folderOf(path) === `packages/${name}`)
      .flatMap((path) => find(read(path)).map(({ line, text }) => `${path}:${line} ${text}`));
    expect(findings.length, findings.join("\n")).toBeLessThanOrEqual(most[name] ?? 0);
  });
});
