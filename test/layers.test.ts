/** The order of src/: who may import whom, and the bounds that keep files easy to read. docs/architecture.md shows the layers. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { problems } from "@expen/experiments/problems";
import { exceptions } from "./layers-exceptions.js";

/** From bottom to top: a layer imports itself and what stands before it; with `only`, no more than these. Files and folders of src/. */
const layers: { name: string; parts: string[]; only?: string[] }[] = [
  {
    name: "foundations",
    parts: [
      "numbers",
      "errors",
      "types",
      "space",
      "shape",
      "random",
      "nearest",
      "options",
      "environment",
      "permissions",
    ],
  },
  { name: "memory", parts: ["memory"] },
  { name: "arrays", parts: ["arrays"] },
  { name: "engines", parts: ["engines"] },
  { name: "linalg", parts: ["linalg"] },
  { name: "constraints", parts: ["constraints", "geometry"] },
  { name: "objectives", parts: ["objective", "autodiff"] },
  { name: "penalty", parts: ["penalty"] },
  { name: "search", parts: ["search"] },
  { name: "solvers", parts: ["expen", "solvers"] },
  {
    name: "run",
    parts: ["run", "check", "certify", "minimize", "stiefel", "core"],
  },
  { name: "data", parts: ["data"], only: ["foundations", "memory", "arrays"] },
  { name: "applications", parts: ["applications"] },
  { name: "experiments", parts: ["problems", "reproduce"] },
  { name: "entries", parts: ["index", "entries"] },
];

const LONGEST_LINE = 140;
const LONGEST_FILE = 250;
/** Here the numbers of matrices are plain arrays. */
const READS_DATA = ["engines", "arrays", "data"];
/** Methods that know f by what it declares, never by its name */
const KNOW_NO_PROBLEM = ["solvers", "search", "penalty", "geometry", "constraints"];
/** Problems whose name is a word of its own */
const WORDS = ["quadratic", "nearest"];

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const sources = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".generated.ts"))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(join(root, folder), path).split(sep).join("/"), readFileSync(path, "utf8")]),
  );

const src = sources("src");
/** Files by name, without comments */
const code = new Map([...src].map(([file, text]) => [file, text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, "")]));
const part = (file: string): string => file.split("/")[0]!.replace(/\.ts$/, "");
/** Files that belong to another layer than their folder: plain matrices with random numbers are linear algebra. */
const ELSEWHERE: Readonly<Record<string, string>> = { "problems/instances.ts": "linalg" };
const level = (file: string): number => layers.findIndex(({ parts }) => parts.includes(ELSEWHERE[file] ?? part(file)));

const FROM = /\bfrom "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;
/** Imports of types too: they say who has to be read to understand whom. */
const imports = new Map(
  [...code].map(([file, text]) => [
    file,
    [...text.matchAll(FROM)].map((m) => posix.join(posix.dirname(file), (m[1] ?? m[2])!.replace(/\.js$/, ".ts"))),
  ]),
);

/** What breaks a rule, without what is listed as an exception; one that is listed and breaks nothing must go from the list. */
function expectNoOthers(found: Iterable<string>, listed: readonly string[], rule: string): void {
  const all = new Set(found);
  expect(
    [...all].filter((one) => !listed.includes(one)),
    rule,
  ).toEqual([]);
  const mended = listed.filter((one) => !all.has(one));
  expect(mended, "mended: take these off the list in test/layers-exceptions.ts").toEqual([]);
}

const filesWhere = (texts: Map<string, string>, breaks: (text: string, file: string) => boolean): string[] =>
  [...texts].filter(([file, text]) => breaks(text, file)).map(([file]) => file);

test("every file belongs to a layer", () => {
  expect(filesWhere(src, (_text, file) => level(file) < 0)).toEqual([]);
});

test("docs/architecture.md shows the layers in this order", () => {
  const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
  const shown = [...page.matchAll(/^\| (\w+) +\| `.*?\|/gm)].map((m) => m[1]!);
  expect(shown.slice(0, layers.length)).toEqual(layers.map(({ name }) => name));
});

test("a layer imports only itself and those below it", () => {
  const upward = [...imports].flatMap(([file, targets]) => {
    const { name, only = layers.slice(0, level(file)).map((l) => l.name) } = layers[level(file)]!;
    return targets.filter((t) => ![name, ...only].includes(layers[level(t)]!.name)).map((t) => `${file} → ${t}`);
  });
  expectNoOthers(upward, exceptions.upward, "import from a higher layer");
});

test("there is no cycle of imports", () => {
  const downward = ([file, targets]: [string, string[]]) =>
    [file, targets.filter((t) => !exceptions.upward.includes(`${file} → ${t}`))] as const;
  const graph = new Map([...imports].map(downward));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (graph.get(from) ?? []).some((next) => reaches(next, to, seen));
  };
  const cyclic = filesWhere(src, (_text, file) => (graph.get(file) ?? []).some((target) => reaches(target, file)));
  expectNoOthers(cyclic, exceptions.cyclic, "file in a cycle of imports");
});

test("methods name no problem", () => {
  const names = [...problems.keys()].filter((name) => !WORDS.includes(name));
  const named = new RegExp(`\\b(${names.join("|")})\\b`, "i");
  expect(filesWhere(code, (text, file) => KNOW_NO_PROBLEM.includes(part(file)) && named.test(text))).toEqual([]);
});

test("the numbers of a matrix are read by engines, arrays and data alone", () => {
  const reads = /\.data\b|\{[^{}]*\bdata\b[^{}:]*\} = /;
  const found = filesWhere(
    code,
    (text, file) => !READS_DATA.includes(part(file)) && reads.test(text.replace(/"[^"\n]*"/g, '""')),
  );
  expectNoOthers(found, exceptions.data, "`.data`: use E.read, E.map or another operation of the engine");
});

test(`lines have at most ${LONGEST_LINE} characters, files of src at most ${LONGEST_FILE} lines`, () => {
  const long = filesWhere(src, (text) => text.split("\n").some((line) => line.length > LONGEST_LINE));
  expect(long).toEqual([]);
  const large = filesWhere(src, (text) => text.split("\n").length - 1 > LONGEST_FILE);
  expectNoOthers(large, exceptions.longFiles, "a file is too long: say in two files what is two things");
});

test("the playground imports the public API alone", () => {
  const others = [...sources("playground/src")].flatMap(([file, text]) =>
    [...text.matchAll(/\bfrom "([^"]*)"/g)]
      .map((m) => m[1]!)
      .filter((name) => /(^|\/)src\//.test(name))
      .map((name) => `${file} → ${name}`),
  );
  expect(others).toEqual([]);
});
