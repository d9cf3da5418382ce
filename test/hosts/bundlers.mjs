/** Builds the page of this folder for a browser: as plain files, and with each bundler in its default settings. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import * as vite from "vite";

const HTML = "index.html";

/** The build functions (`from`, `to`) by the names of the tools, which are installed in a folder above `from` */
export function bundlers(from) {
  const require = createRequire(join(from, HTML));
  const version = (name) => require(`${name}/package.json`).version;
  return {
    [`vite ${vite.version}`]: withVite,
    [`webpack ${version("webpack")}`]: (...folders) => withWebpack(require("webpack"), ...folders),
    [`rollup ${version("rollup")}`]: (...folders) =>
      withRollup(require("rollup"), require("@rollup/plugin-node-resolve"), ...folders),
    [`esbuild ${version("esbuild")}`]: (...folders) => withEsbuild(require("esbuild"), ...folders),
    "no bundler": withoutBundler,
  };
}

const page = (from, to) => cpSync(join(from, HTML), join(to, HTML));

function failOnWarnings(warnings) {
  if (warnings.length > 0) throw new Error(`it warns: ${warnings.join("; ").trim().replaceAll("\n", " ")}`);
}

async function withVite(from, to) {
  const warnings = [];
  const customLogger = vite.createLogger("silent");
  customLogger.warn = customLogger.warnOnce = (text) => warnings.push(text);
  await vite.build({
    root: from,
    configFile: false,
    base: "./",
    logLevel: "warn",
    customLogger,
    worker: { format: "es" },
    build: {
      outDir: to,
      emptyOutDir: true,
      target: "es2022",
      // its advice about sizes and times depends on the machine
      chunkSizeWarningLimit: 1000,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
  failOnWarnings(warnings);
}

async function withWebpack(webpack, from, to) {
  const stats = await new Promise((resolve, reject) => {
    const settings = {
      mode: "production",
      context: from,
      entry: "./page.js",
      output: { path: to, filename: "page.js", module: true },
      experiments: { outputModule: true },
      performance: { hints: false },
    };
    webpack(settings, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
  const { errors, warnings } = stats.toJson({ errors: true, warnings: true });
  failOnWarnings([...errors, ...warnings].map(({ message }) => message));
  page(from, to);
}

async function withRollup({ rollup }, { nodeResolve }, from, to) {
  const warnings = [];
  const bundle = await rollup({
    input: { page: join(from, "page.js"), worker: join(from, "worker.js") },
    plugins: [nodeResolve({ browser: true })],
    onwarn: ({ message }) => warnings.push(message),
  });
  await bundle.write({ dir: to, format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  await bundle.close();
  failOnWarnings(warnings);
  page(from, to);
}

async function withEsbuild(esbuild, from, to) {
  const { warnings } = await esbuild.build({
    entryPoints: ["page.js", "worker.js"].map((name) => join(from, name)),
    outdir: to,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    logLevel: "silent",
  });
  failOnWarnings(warnings.map(({ text }) => text));
  page(from, to);
}

/** An import map names the library for the page. Workers cannot have one, so they import it by its address. */
async function withoutBundler(from, to) {
  const library = "./expen/index.js";
  cpSync(join(from, "node_modules/expen/dist/standalone"), join(to, "expen"), { recursive: true });
  for (const name of ["main.js", "page.js", "solve.js"]) cpSync(join(from, name), join(to, name));
  const [solve, worker] = ["solve.js", "worker.js"].map((name) => readFileSync(join(from, name), "utf8"));
  writeFileSync(join(to, "solve-in-worker.js"), solve.replace('"expen"', `"${library}"`));
  writeFileSync(join(to, "worker.js"), worker.replace("./solve.js", "./solve-in-worker.js"));
  const map = `<script type="importmap">${JSON.stringify({ imports: { expen: library } })}</script>`;
  writeFileSync(join(to, HTML), readFileSync(join(from, HTML), "utf8").replace("<script", `${map}\n    <script`));
}

/** Compressed bytes that a page with `import { … } from "expen"` loads at once, and those that the wasm engine adds */
export async function bytesOf(from, names) {
  const esbuild = createRequire(join(from, HTML))("esbuild");
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: `export { ${names.join(", ")} } from "expen";`, resolveDir: from },
    outdir: from,
    absWorkingDir: from,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    metafile: true,
    write: false,
  });
  const sizes = new Map(outputFiles.map(({ path, contents }) => [relative(from, path), gzipSync(contents).length]));
  const files = Object.keys(metafile.outputs);
  const atOnce = closure(files.filter((file) => metafile.outputs[file].entryPoint === "<stdin>"));
  const withWasm = closure(files.filter((file) => /^(wasm|relaxed\.generated)-/.test(file)));
  const sum = (files) => files.reduce((total, file) => total + sizes.get(file), 0);
  return { atOnce: sum(atOnce), wasm: sum(withWasm.filter((file) => !atOnce.includes(file))) };

  function closure(first) {
    const reached = new Set(first);
    for (const file of reached) {
      for (const { path, kind } of metafile.outputs[file].imports) if (kind === "import-statement") reached.add(path);
    }
    return [...reached];
  }
}

/** The sources of scripts in the page itself, as a Content-Security-Policy names them */
export function inlineScripts(file) {
  if (!existsSync(file)) return [];
  const scripts = readFileSync(file, "utf8").matchAll(/<script type="importmap">(.*?)<\/script>/g);
  return [...scripts].map(([, text]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}
