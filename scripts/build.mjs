/**
 * Makes the dist of every package: one file for each entry of its package.json, with what entries share in files beside them, since to open
 * two hundred modules takes longer than a small run. Engines, the readers of archives and the server are files of their own, imported when
 * they are needed. Packages import each other by name, so that a class is one class whichever entry it comes from. Nothing is
 * minified, so that stacks can be read.
 *
 *     packages/NAME/dist             for Node and its kin
 *     packages/NAME/dist/browser     for other hosts, where a source name.ts has name-browser.ts beside it
 *     packages/NAME/dist/types       declarations
 *     packages/expen/dist/standalone all of expen for pages without a bundler: it imports nothing but itself
 *     bench/dist                     the benchmark, file by file
 *
 * Copies LICENSE into every package, and README and CHANGELOG into expen, for npm pack takes files of the package's folder only; their
 * relative links lead to the repository, or are left out (published-page.mjs).
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "vite";
import { browserVersions } from "./browser-versions.mjs";
import { root } from "./clone.mjs";
import { closureOf } from "./imports.mjs";
import { plainRun } from "./plain-run.mjs";
import { homeOf, publishedPage } from "./published-page.mjs";
import { aliases, SOURCE } from "./sources.mjs";

/** Programs of the command line that are no entries: `mpi-speed` is started by mpirun. */
const PROGRAMS = { main: "src/cli/main.ts", "mpi-speed": "src/cli/mpi-speed.ts" };

const packages = readdirSync(join(root, "packages"))
  .filter((name) => name !== "testing")
  .map((name) => ({ name, folder: join(root, "packages", name) }))
  .map((one) => ({ ...one, ...JSON.parse(readFileSync(join(one.folder, "package.json"), "utf8")) }));

/** Names of files without .js → their sources, from `exports`; `condition`: of those entries that have it */
const entriesOf = ({ folder, exports }, condition = SOURCE) =>
  Object.fromEntries(
    Object.entries(exports)
      .filter(([, to]) => to[condition])
      .map(([entry, to]) => [entry === "." ? "index" : entry.slice(2), join(folder, to[SOURCE])]),
  );
/** everything that is imported by name */
const isByName = (id) => !/^[./\0]/.test(id) && !/^[a-z]:[\\/]/i.test(id);

/**
 * Names of chunks stay as they are: a page or a cache knows a version by the folder. Comments are in the declarations; here they
 * would be a sixth of the text that every import reads.
 */
const output = { entryFileNames: "[name].js", chunkFileNames: "[name].js", comments: { jsdoc: false } };
const bundle = (outDir, input, { plugins = [], ssr = true, external = isByName, more = {}, ...rest } = {}) =>
  build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins,
    build: {
      ...(ssr ? { ssr: true } : { lib: { entry: input, formats: ["es"] } }),
      target: "es2022",
      minify: false,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      // an entry exports what its source does, also where chunks share modules with it
      rolldownOptions: { input, external, preserveEntrySignatures: "strict", output: { ...output, ...more } },
    },
    ...rest,
  });

/** Ends the build where anything but these packages is imported by name. */
const onlyImports = (names) => ({
  name: "only-imports",
  enforce: "pre",
  resolveId(id, importer) {
    if (!isByName(id) || names.test(id)) return;
    this.error(`${importer} imports '${id}', which no browser has; see scripts/browser-versions.mjs.`);
  },
});

/**
 * Packages in few files beside their entries, as each file takes Node a quarter of a millisecond: linalg in one, the engines in two, what is
 * loaded with the package and what opens `blas`. The core has five: what `minimize` loads at once, what else its index does, what a run
 * without options imports, the checks, and what these two share. A page takes the first at once, of the second what it uses, and the third when a run begins.
 */
const fewFiles = {
  "@expen/linalg": () => filesOf([{ name: "linalg", test: /packages\/linalg\/src\// }]),
  "@expen/engines": () => {
    const [atOnce, opened] = [closureIn("engines", "index.ts"), closureIn("engines", "blas/engine.ts")];
    return filesOf([
      { name: "engines", priority: 2, test: (id) => atOnce.has(id) },
      { name: "host", priority: 1, test: (id) => opened.has(id) },
    ]);
  },
  "@expen/core": () => {
    const entry = join(root, "packages/core/src/minimize.ts");
    const [atOnce, index, checks] = ["minimize.ts", "index.ts", "check/index.ts"].map((file) =>
      closureIn("core", file),
    );
    const imported = new Set(plainRun(entry).imported);
    return filesOf([
      { name: "at-once", priority: 5, test: (id) => atOnce.has(id) },
      { name: "core", priority: 4, test: (id) => index.has(id) },
      // expen's index has the checks: a page that loads them is not to load the run
      { name: "run-and-checks", priority: 3, test: (id) => imported.has(id) && checks.has(id) },
      { name: "run", priority: 2, test: (id) => imported.has(id) },
      { name: "checks", priority: 1, test: (id) => checks.has(id) },
    ]);
  },
};

const filesOf = (groups) => ({ codeSplitting: { groups } });
const closureIn = (name, file) =>
  closureOf(join(root, "packages", name, "src", file), { dynamic: false, barrels: true });

function makeDeclarations() {
  const declarations = join(root, "dist/declarations");
  rmSync(declarations, { recursive: true, force: true });
  rmSync(join(root, "dist/.types/declarations.tsbuildinfo"), { force: true });
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  for (const { folder } of packages)
    cpSync(join(declarations, basename(folder), "src"), join(folder, "dist/types"), { recursive: true });
}

for (const { folder } of packages) {
  if (!existsSync(join(folder, "dist"))) continue;
  for (const name of readdirSync(join(folder, "dist"))) {
    if (name !== "playground") rmSync(join(folder, "dist", name), { recursive: true });
  }
}
for (const one of packages) {
  const dist = join(one.folder, "dist");
  mkdirSync(dist, { recursive: true });
  const programs = one.bin
    ? Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, join(one.folder, file)]))
    : {};
  await bundle(dist, { ...entriesOf(one), ...programs }, { more: fewFiles[one.name]?.() ?? {} });
  const inBrowsers = entriesOf(one, "browser");
  if (Object.keys(inBrowsers).length > 0) {
    await bundle(join(dist, "browser"), inBrowsers, {
      ssr: false,
      plugins: [browserVersions(), onlyImports(/^(@expen\/|fflate$)/)],
    });
  }
}
const expen = packages.find(({ name }) => name === "expen");
for (const { folder } of packages) copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
const { repository, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pages = ["README.md", "CHANGELOG.md"];
for (const page of pages) {
  const text = readFileSync(join(root, page), "utf8");
  const place = { home: homeOf(repository), version, beside: [...pages, "LICENSE"] };
  writeFileSync(join(expen.folder, page), publishedPage(text, place));
}
const { cli: _, ...entries } = entriesOf(expen);
await bundle(join(expen.folder, "dist/standalone"), entries, {
  ssr: false,
  external: [],
  plugins: [browserVersions(), onlyImports(/^(@expen\/|fflate$)/)],
  resolve: { alias: aliases },
});
const bench = join(root, "bench");
rmSync(join(bench, "dist"), { recursive: true, force: true });
const programs = readdirSync(bench, { recursive: true }).filter(
  (file) => file.endsWith(".ts") && !/^(test|node_modules)\b/.test(file),
);
await bundle(
  join(bench, "dist"),
  programs.map((file) => join(bench, file)),
  { more: { preserveModules: true, preserveModulesRoot: bench } },
);
makeDeclarations();
