/** The packages as they are published: their files, and their use after an installation. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entriesOf, published, root } from "./workspace.js";

const expen = published.find(({ manifest }) => manifest.name === "expen")!;
const command = join(root, expen.folder, expen.manifest.bin!.expen!);
const inProcess = (code: string, cwd = root): string =>
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd, encoding: "utf8" });

const place = mkdtempSync(join(tmpdir(), "expen-package-"));
afterAll(() => rmSync(place, { recursive: true }));

/** npm without the settings of the user's, which a parent npm hands on too, nor a home that may not be there */
function npm(...args: string[]): string {
  const others = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  return execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...Object.fromEntries(others), npm_config_userconfig: devNull, npm_config_cache: join(place, "cache") },
  });
}

const entries = published.flatMap((one) => [...entriesOf(one)]);

test("every entry exports what its source does", async () => {
  const names = entries.map(([name]) => name).filter((name) => name !== "@expen/engines/relaxed-simd");
  const code = names.map((name) => `[${JSON.stringify(name)}, Object.keys(await import("${name}")).sort()]`);
  const exportsByName = new Map<string, string[]>(JSON.parse(inProcess(`console.log(JSON.stringify([${code}]))`)));
  for (const [name, source] of entries) {
    if (exportsByName.has(name))
      expect(exportsByName.get(name), name).toEqual(Object.keys(await import(source)).sort());
  }
});

test("errors are of one class, whichever package they come from", () => {
  const code = `import { EngineError, openEngine } from "expen";
    import { EngineError as same } from "@expen/linalg";
    import { engineNames } from "expen/engines";
    console.log(await openEngine("none").catch((e) => e instanceof EngineError), same === EngineError, engineNames.join());`;
  expect(inProcess(code).trim()).toBe("true true cuda,blas,wasm,js");
});

test("what the command line does first is in its bundle: relaxed SIMD, where Node has it", () => {
  const args = [command, ..."solve noeig --n 8 --p 2 --engine wasm".split(" ")];
  const text = execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  expect(text).toContain("relaxed SIMD");
});

test("the README asks for the Node that package.json allows", () => {
  const words = inProcess('console.log((await import("./scripts/node-range.mjs")).words)').trim();
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`With Node ${words},`);
});

/** The files that Node opens for one of dist, before anything is asked for; those of other packages too */
function opened(first: string): number {
  const files = new Set([first]);
  for (const file of files) {
    for (const [, other] of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^"';]*"([^"]+)"/gm)) {
      if (other!.startsWith(".")) files.add(resolve(dirname(file), other!));
      else if (/^@expen\//.test(other!)) files.add(fileOf(other!));
    }
  }
  return files.size;
}

/** The file of Node for an entry */
function fileOf(entry: string): string {
  const { folder, manifest } = published.find(
    ({ manifest: { name } }) => entry === name || entry.startsWith(`${name}/`),
  )!;
  const to = manifest.exports[`.${entry.slice(manifest.name.length)}`]!;
  return join(root, folder, to.node ?? to.default!);
}

test("to open an entry is to open few files: two hundred modules took 0.2 s", () => {
  for (const [name] of entries) expect(opened(fileOf(name)), name).toBeLessThan(75);
  expect(opened(command)).toBeLessThan(75);
});

test("a first run loads the core in eight files: each takes Node a quarter of a millisecond", () => {
  const coverage = join(place, "coverage");
  const code = `import { minimize, stiefel } from "expen";
    const f = { f: (X) => X.data[0], grad: (G) => { G.data.fill(0); G.data[0] = 1; } };
    await minimize(f, { on: stiefel(5, 2), engine: "js" });`;
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env });
  const scripts = readdirSync(coverage).flatMap(
    (file) => JSON.parse(readFileSync(join(coverage, file), "utf8")).result,
  );
  const urls: string[] = scripts.map(({ url }: { url: string }) => url);
  const core = urls.filter((url) => url.includes("packages/core/dist/"));
  expect(core.length).toBeGreaterThan(2);
  expect(core.length).toBeLessThanOrEqual(8);
});

test("each package has what its package.json names, and declarations with those they refer to", () => {
  const all = JSON.parse(npm("pack", "--workspaces", "--dry-run", "--json", "--ignore-scripts")) as {
    name: string;
    files: { path: string }[];
  }[];
  for (const { folder, manifest } of published) {
    const paths = new Set(all.find(({ name }) => name === manifest.name)!.files.map(({ path }) => path));
    for (const page of ["README.md", "LICENSE"]) expect(paths, manifest.name).toContain(page);
    if (manifest.name === "expen") expect(paths).toContain("CHANGELOG.md");
    const conditions = Object.values(manifest.exports).filter((to) => typeof to === "object");
    const builds = conditions.flatMap((to) =>
      Object.entries(to).filter(([condition]) => condition !== "@expen/source"),
    );
    for (const [, path] of builds) expect(paths, manifest.name).toContain(path.replace(/^\.\//, ""));
    for (const path of Object.values(manifest.bin ?? {})) expect(paths).toContain(path);
    for (const path of [...paths].filter((path) => path.endsWith(".d.ts"))) {
      for (const [, other] of readFileSync(join(root, folder, path), "utf8").matchAll(/from "(\.[^"]+)\.js"/g)) {
        expect(paths, path).toContain(join(dirname(path), `${other}.d.ts`));
      }
    }
  }
});

describe("in an empty project", () => {
  const project = join(place, "project");
  const modules = join(project, "node_modules");

  beforeAll(() => {
    mkdirSync(join(modules, "@expen"), { recursive: true });
    const packed = JSON.parse(
      npm(
        "pack",
        ...published.map(({ folder }) => `./${folder}`),
        "--json",
        "--ignore-scripts",
        "--pack-destination",
        place,
      ),
    ) as { name: string; filename: string }[];
    for (const { name, filename } of packed) {
      mkdirSync(join(modules, name));
      execFileSync("tar", ["-xzf", join(place, filename), "-C", join(modules, name), "--strip-components=1"]);
    }
    // dependencies, as a registry would add them
    for (const { manifest } of published) {
      for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
        if (/^(expen$|@expen\/)/.test(name) || readdirSync(modules).includes(name)) continue;
        symlinkSync(join(root, "node_modules", name), join(modules, name));
      }
    }
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  }, 60_000);

  const programsOf = (page: string): string[] =>
    [...readFileSync(page, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map((m) => m[1]!);
  const programs = ["README.md", "docs/first-programs.md"].flatMap((page) => programsOf(join(root, page)));

  /** What a program prints that is compiled and run in the project */
  function output(name: string, text: string): string {
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    });
    const file = join(project, `${name}.js`);
    writeFileSync(file, outputText);
    return execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8" });
  }

  test("the README has programs, and docs/first-programs.md five of at most ten lines", () => {
    const five = programsOf(join(root, "docs/first-programs.md"));
    expect(five.length).toBe(5);
    expect(programs.length).toBeGreaterThan(five.length + 1);
    const longest = five.map((text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("//")).length);
    expect(Math.max(...longest)).toBeLessThanOrEqual(10);
  });

  test.each(programs.map((text, i) => [i + 1, text] as const))(
    "program %i of the README and its five runs",
    (i, text) => {
      expect(output(`program-${i}`, text)).toMatch(/global|second-order|stationary/);
    },
  );

  const printed: Readonly<Record<string, RegExp>> = {
    apps: /global/,
    core: /^0\.5/,
    data: /^2 2 .*\n.*1, 2, 3, 4/,
    eigen: /global/,
    engines: /\n11\n$/,
    experiments: /20 3 \d/,
    linalg: /\[ (1|0\.9999\d+), (3|2\.9999\d+) \]/,
    solvers: /^0\.5/,
    tape: /^7 .*1, 2, 3/,
  };
  test.each(Object.entries(printed))("the program of packages/%s/README.md runs", (name, expected) => {
    const [text, ...others] = programsOf(join(root, "packages", name, "README.md"));
    expect(others).toEqual([]);
    expect(output(name, text!)).toMatch(expected);
  });

  /** Diagnostics of a program in the project, in words */
  function diagnosticsOf(files: string[], more: ts.CompilerOptions): string[] {
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
      strict: true,
      noEmit: true,
      types: [],
      ...more,
    });
    return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  }

  test("its programs have types", () => {
    const files = programs.map((text, i) => {
      const file = join(project, `typed-${i}.ts`);
      writeFileSync(file, text);
      return file;
    });
    const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    expect(diagnosticsOf(files, options)).toEqual([]);
  });

  // as arethetypeswrong looks at packages: every entry in every way in which TypeScript finds one
  test.each([
    ["an ES module of Node", "mts", ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    [
      "a CommonJS module of Node, which requires ES modules",
      "cts",
      ts.ModuleKind.NodeNext,
      ts.ModuleResolutionKind.NodeNext,
    ],
    ["a bundler", "ts", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ])("types are found by %s", (_, ending, module, moduleResolution) => {
    const file = join(project, `entries.${ending}`);
    const lines = entries.map(([name], i) =>
      ending === "cts" ? `import e${i} = require("${name}");` : `import * as e${i} from "${name}";`,
    );
    // an entry without types would be any, which has every member
    const uses = entries.map((_, i) => `// @ts-expect-error\ne${i}.thisIsNoExport;`);
    writeFileSync(file, [...lines, ...uses, "export {};"].join("\n"));
    expect(diagnosticsOf([file], { module, moduleResolution })).toEqual([]);
  });

  test("types are as users expect them, in the packages as in the sources", () => {
    const file = join(project, "expectations.ts");
    writeFileSync(file, readFileSync(join(root, "packages/expen/test/types/expectations.ts"), "utf8"));
    const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    expect(diagnosticsOf([file], options)).toEqual([]);
  });

  test("pages that are published have no relative link to a file that is not", () => {
    for (const { manifest } of published) {
      const folder = join(modules, manifest.name);
      for (const page of readdirSync(folder).filter((name) => name.endsWith(".md"))) {
        const text = readFileSync(join(folder, page), "utf8").replace(/```[\s\S]*?```/g, "");
        const paths = [...text.matchAll(/\]\((?!#|[a-z][a-z0-9+.-]*:)([^)\s#]+)/gi)].map((m) => m[1]!);
        expect(paths.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
      }
    }
  });

  test("the command line runs", () => {
    const text = execFileSync(
      process.execPath,
      [join(modules, "expen/dist/main.js"), ..."solve noeig --n 20 --p 2 --json".split(" ")],
      {
        cwd: project,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    expect(JSON.parse(text)).toMatchObject({ problem: "noeig", status: "converged" });
  });
});
