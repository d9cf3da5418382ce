/**
 * A run of minimize({ f, grad }, { on: stiefel(40, 3) }) on the sources: which files it imports, and which functions it calls. Sources are
 * stripped of their types, and Node's coverage (NODE_V8_COVERAGE) says which functions were called.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { closureOf, fileOf, root } from "./imports.mjs";

const manifolds = join(root, "packages/core/src/index.ts");
const engine = join(root, "packages/linalg/src/engine/js.ts");

const from = (file, to) => `./${relative(dirname(file), to).split(sep).join("/")}`;

/** Calls of functions by script and place, with the ranges of their code, while Node runs this source; and what it prints */
function callsOf(place, source, name) {
  const [run, coverage] = [join(place, "run.mjs"), join(place, name)];
  writeFileSync(run, source);
  const printed = execFileSync(process.execPath, [run], {
    encoding: "utf8",
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const calls = new Map();
  for (const one of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, one), "utf8")).result) {
      for (const { ranges } of functions) calls.set(`${url} ${ranges[0].startOffset}`, { url, ranges });
    }
  }
  return { calls, printed };
}

/** Writes the sources without their types, as modules that import each other, into the folder `place`. */
function strip(texts, made) {
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
}

/**
 * The run by `minimize` of the file `entry`. `texts`: sources by file; `imported`: the files that were imported, at once or for the run;
 * `entered`: of those of which the run called a function, its script without types and the calls; `printed`: status and evaluations.
 */
export function plainRun(entry) {
  const texts = new Map([entry, manifolds, engine].flatMap((file) => [...closureOf(file, { barrels: true })]));
  const place = realpathSync(mkdtempSync(join(tmpdir(), "plain-run-")));
  const made = (file) => join(place, relative(root, file).replace(/\.tsx?$/, ".js"));
  try {
    writeFileSync(join(place, "package.json"), '{ "type": "module" }');
    strip(texts, made);
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
    const { calls: during, printed } = callsOf(place, `${imports}\n${body}`, "run");
    const modules = new Set([...during.values()].map(({ url }) => url).filter((url) => url.includes("/packages/")));
    const alone = [imports, ...[...modules].map((url) => `await import("${url}");`)].join("\n");
    const { calls: before } = callsOf(place, alone, "import");
    const sources = new Map([...texts.keys()].map((file) => [made(file), file]));
    const imported = [...modules].map((url) => sources.get(fileURLToPath(url)));
    const entered = new Map();
    for (const [key, call] of during) {
      if (!modules.has(call.url) || call.ranges[0].count <= (before.get(key)?.ranges[0].count ?? 0)) continue;
      const path = fileURLToPath(call.url);
      const file = sources.get(path);
      if (!entered.has(file)) entered.set(file, { script: readFileSync(path, "utf8"), calls: [] });
      entered.get(file).calls.push(call);
    }
    return { texts, imported, entered, printed };
  } finally {
    rmSync(place, { recursive: true });
  }
}
