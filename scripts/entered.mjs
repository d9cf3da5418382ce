/**
 * The files that a run of minimize({ f, grad }, { on: stiefel(40, 3) }) enters: those of which a function is called, with their lines; the
 * engine (packages/linalg/src/engine) apart.
 *
 *     node scripts/entered.mjs [FILE] [--list]
 *
 * FILE exports `minimize`; left out: packages/solvers/src/minimize.ts. Sources are stripped of their types, and Node's coverage (NODE_V8_COVERAGE) says which
 * functions were called.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { closureOf, fileOf, linesOf, report, root } from "./imports.mjs";

const words = process.argv.slice(2);
const entry = resolve(words.find((word) => !word.startsWith("--")) ?? join(root, "packages/solvers/src/minimize.ts"));
const manifolds = join(root, "packages/core/src/manifolds/named.ts");
const engine = join(root, "packages/linalg/src/engine/js.ts");
const texts = new Map([entry, manifolds, engine].flatMap((file) => [...closureOf(file, { barrels: true })]));

// in the project, so that packages of others are found
const place = realpathSync(mkdtempSync(join(root, "node_modules", ".entered-")));
const made = (file) => join(place, relative(root, file).replace(/\.tsx?$/, ".js"));
const from = (file, to) => `./${relative(dirname(file), to)}`;

try {
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
  /** How often each function is called: by file and place */
  const callsOf = (source, name) => {
    const coverage = join(place, name);
    writeFileSync(run, source);
    process.stdout.write(
      execFileSync(process.execPath, [run], { env: { ...process.env, NODE_V8_COVERAGE: coverage } }),
    );
    const calls = new Map();
    for (const one of readdirSync(coverage)) {
      for (const { url, functions } of JSON.parse(readFileSync(join(coverage, one), "utf8")).result) {
        for (const { ranges } of functions) calls.set(`${url} ${ranges[0].startOffset}`, ranges[0].count);
      }
    }
    return calls;
  };
  // what is called when the modules are imported is no part of the run, whether they are imported before it or for it
  const during = callsOf(`${imports}\n${body}`, "run");
  const modules = new Set([...during.keys()].filter((key) => key.includes(place)).map((key) => key.split(" ")[0]));
  const others = [...modules].filter((url) => !url.endsWith("run.mjs")).map((url) => `await import("${url}");`);
  const before = callsOf([imports, ...others].join("\n"), "import");
  const called = [...during].filter(([key, count]) => key.startsWith("file:") && count > (before.get(key) ?? 0));
  const entered = new Set(called.map(([key]) => fileURLToPath(key.slice(0, key.lastIndexOf(" ")))));
  const lines = [...texts].filter(([file]) => entered.has(made(file))).map(([file, text]) => [file, linesOf(text)]);
  const isEngine = ([file]) => file.startsWith(join(root, "packages/linalg/src/engine/"));
  report(new Map(lines.filter((line) => !isEngine(line))), words.includes("--list"));
  console.log("\nthe engine beside them");
  report(new Map(lines.filter(isEngine)), words.includes("--list"));
} finally {
  rmSync(place, { recursive: true });
}
