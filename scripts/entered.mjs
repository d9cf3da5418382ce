/**
 * The files that a run of minimize({ f, grad }, { on: stiefel(40, 3) }) enters: those of which a function is called, with their lines; linear
 * algebra (packages/linalg) and its engine apart.
 *
 *     node scripts/entered.mjs [FILE] [--list]
 *
 * FILE exports `minimize`; left out: packages/solvers/src/minimize.ts. Sources are stripped of their types, and Node's coverage (NODE_V8_COVERAGE)
 * says which functions were called. --list prints each file: all its lines, and those of code that were executed.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { closureOf, fileOf, linesOf, report, root } from "./imports.mjs";

const words = process.argv.slice(2);
const entry = resolve(words.find((word) => !word.startsWith("--")) ?? join(root, "packages/solvers/src/minimize.ts"));
const manifolds = join(root, "packages/core/src/index.ts");
const engine = join(root, "packages/linalg/src/engine/js.ts");
const texts = new Map([entry, manifolds, engine].flatMap((file) => [...closureOf(file, { barrels: true })]));

const place = realpathSync(mkdtempSync(join(tmpdir(), "entered-")));
const made = (file) => join(place, relative(root, file).replace(/\.tsx?$/, ".js"));
const from = (file, to) => `./${relative(dirname(file), to).split(sep).join("/")}`;

const isAlgebra = (path) => path.startsWith("packages/linalg/");
const isEngine = (path) => path.startsWith("packages/linalg/src/engine/");
const groups = {
  "from f to the certificate": (path) => !isAlgebra(path),
  "linear algebra": (path) => isAlgebra(path) && !isEngine(path),
  "the engine": isEngine,
};

/** Calls of functions by file and place: how often, and the ranges of the code in them that was not executed */
function callsOf(source, name) {
  const [run, coverage] = [join(place, "run.mjs"), join(place, name)];
  writeFileSync(run, source);
  process.stdout.write(execFileSync(process.execPath, [run], { env: { ...process.env, NODE_V8_COVERAGE: coverage } }));
  const calls = new Map();
  for (const one of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, one), "utf8")).result) {
      for (const { ranges } of functions) calls.set(`${url} ${ranges[0].startOffset}`, { url, ranges });
    }
  }
  return calls;
}

/** The number of lines of a script that were executed in these functions, which contain one another */
function executedLines(path, functions) {
  const text = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*/g, (comment) =>
    " ".repeat(comment.length),
  );
  const isExecuted = new Uint8Array(text.length);
  const outerFirst = functions
    .flatMap(({ ranges }) => ranges)
    .sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  for (const { startOffset, endOffset, count } of outerFirst)
    isExecuted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  let [at, lines] = [0, 0];
  for (const line of text.split("\n")) {
    if ([...line].some((character, k) => isExecuted[at + k] && /\w/.test(character))) lines++;
    at += line.length + 1;
  }
  return lines;
}

try {
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  for (const [file, text] of texts) {
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    });
    const linked = outputText.replace(/((?:from|import)\s*\(?\s*)"([^"]+)"/g, (whole, before, specifier) => {
      const target = fileOf(file, specifier);
      return target ? `${before}"${from(made(file), made(target))}"` : whole;
    });
    mkdirSync(dirname(made(file)), { recursive: true });
    writeFileSync(made(file), linked);
  }
  const run = join(place, "run.mjs");
  const [imports, body] = [
    `import { minimize } from "${from(run, made(entry))}";
import { stiefel } from "${from(run, made(manifolds))}";
import { jsEngine } from "${from(run, made(engine))}";`,
    `const row = (k) => 1 + Math.floor(k / 3);
const f = ({ data }) => data.reduce((sum, x, k) => sum + row(k) * x * x, 0);
const grad = (G, { data }) => data.forEach((x, k) => { G.data[k] = 2 * row(k) * x; });
const { status, evaluations } = await minimize({ f, grad }, { on: stiefel(40, 3), engine: jsEngine() });
console.log(status, evaluations);
`,
  ];
  // what is called when the modules are imported is no part of the run, whether they are imported before it or for it
  const during = callsOf(`${imports}\n${body}`, "run");
  const modules = new Set([...during.values()].map(({ url }) => url).filter((url) => url.includes("/packages/")));
  const before = callsOf([imports, ...[...modules].map((url) => `await import("${url}");`)].join("\n"), "import");
  const entered = new Map();
  for (const [key, call] of during) {
    if (!modules.has(call.url) || call.ranges[0].count <= (before.get(key)?.ranges[0].count ?? 0)) continue;
    const path = fileURLToPath(call.url);
    entered.set(path, [...(entered.get(path) ?? []), call]);
  }
  const rows = [...texts].filter(([file]) => entered.has(made(file)));
  for (const [group, isIn] of Object.entries(groups)) {
    const own = rows.filter(([file]) => isIn(relative(root, file).split(sep).join("/")));
    const counts = own.map(([file, text]) => [file, linesOf(text), executedLines(made(file), entered.get(made(file)))]);
    console.log(`\n${group}: ${counts.reduce((sum, [, , executed]) => sum + executed, 0)} lines of code are executed`);
    for (const [file, lines, executed] of words.includes("--list") ? counts : []) {
      console.log(`${String(lines).padStart(6)}${String(executed).padStart(6)} ${relative(root, file)}`);
    }
    report(new Map(counts));
  }
} finally {
  rmSync(place, { recursive: true });
}
