import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { entries } from "../entries.js";

const root = resolve(import.meta.dirname, "..");
const { bin, exports } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as {
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
};
const inProcess = (code: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8" });

const packageName = (entry: string): string => (entry === "index" ? "expen" : `expen/${entry}`);

test.each(Object.entries(entries))("%s exports what the sources do", async (entry, source) => {
  const names = inProcess(`console.log(JSON.stringify(Object.keys(await import("${packageName(entry)}"))))`);
  expect(JSON.parse(names).sort()).toEqual(Object.keys(await import(source)).sort());
});

test("package.json names every entry, and no other", () => {
  const named = Object.keys(exports).filter((name) => name !== "./package.json");
  expect(named.map((name) => name.replace(/^\./, "expen")).sort()).toEqual(
    Object.keys(entries).map(packageName).sort(),
  );
});

test("errors are of one class, whichever entry they come from", () => {
  const code = `import { EngineError, openEngine } from "expen";
import { engineNames } from "expen/engines";
    console.log(await openEngine("none").catch((e) => e instanceof EngineError), engineNames.join());`;
  expect(inProcess(code).trim()).toBe("true cuda,blas,wasm,js");
});

test("what the command line does first is in the bundle: relaxed SIMD, where Node has it", () => {
  const args = [resolve(root, bin.expen!), ..."solve noeig --n 8 --p 2 --engine wasm".split(" ")];
  const text = execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  expect(text).toContain("relaxed SIMD");
});

test("the README asks for the Node that package.json allows", () => {
  const words = inProcess('console.log((await import("./scripts/node-range.mjs")).words)').trim();
  expect(readFileSync(resolve(root, "README.md"), "utf8")).toContain(`With Node ${words},`);
});

/** How many files Node opens for one of the bundle, before anything is asked for */
function opened(first: string): number {
  const files = new Set([first]);
  for (const file of files) {
    const code = readFileSync(resolve(root, "dist/bundle", file), "utf8");
    for (const [, other] of code.matchAll(/^(?:import|export)\b[^"';]*"\.\/([^"]+)"/gm)) files.add(other!);
  }
  return files.size;
}

test("the package has what package.json names, the types, and no module twice for one host", () => {
  // without the settings of the user's npm, which a parent npm hands on too, nor a home that may not be there
  const cache = mkdtempSync(join(tmpdir(), "expen-package-"));
  const others = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...Object.fromEntries(others), npm_config_userconfig: devNull, npm_config_cache: cache },
  });
  rmSync(cache, { recursive: true });
  const [{ files }] = JSON.parse(text) as [{ files: { path: string }[] }];
  const paths = new Set(files.map(({ path }) => path));
  const named = [bin.expen!, ...Object.values(exports).flatMap((entry) => Object.values(Object(entry)))] as string[];
  for (const path of named.filter((path) => path.length > 1)) expect(paths).toContain(path.replace(/^\.\//, ""));
  const own = [...paths].filter((path) => /^dist\/(?!playground)/.test(path));
  const modules = own.filter((path) => path.endsWith(".js"));
  expect(modules.filter((path) => !/^dist\/(bundle|browser)\//.test(path))).toEqual([]);
  // two hundred modules took 0.2 s to open
  for (const entry of Object.keys(entries)) expect(opened(`${entry}.js`), entry).toBeLessThan(30);
  expect(opened("main.js")).toBeLessThan(40);
  // declarations come with those they refer to
  for (const path of own.filter((path) => path.endsWith(".d.ts"))) {
    const folder = resolve(root, path, "..");
    for (const [, other] of readFileSync(resolve(root, path), "utf8").matchAll(/from "(\.[^"]+)\.js"/g)) {
      expect(paths).toContain(`${resolve(folder, other!).slice(root.length + 1)}.d.ts`);
    }
  }
});
