/**
 * Writes the documentation as a site to dist/site: static files that any folder of any host can serve, or a browser can open.
 *
 *     npm run docs                      all of it
 *     npm run docs -- --no-playground   without the playground, which takes longest
 *     npm run docs -- --serve           serves it afterwards
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, preview, runnerImport } from "vite";
import { browserVersions } from "./browser-versions.mjs";
import { root } from "./clone.mjs";
import { aliases } from "./sources.mjs";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "dist/site") },
    playground: { type: "boolean", default: true },
    serve: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const { out } = values;

const settings = {
  root,
  configFile: false,
  logLevel: "warn",
  assetsInclude: ["**/*.npz"],
  resolve: { alias: aliases },
};
const { site, writeSite } = (
  await runnerImport(join(root, "site/build/all.ts"), { ...settings, plugins: [browserVersions()] })
).module;
writeSite(root, out, site);

/** A classic script: a page that is opened as a file may not load modules. */
const script = (name, { folder = "src", wrap = (code) => code } = {}) =>
  build({
    ...settings,
    plugins: [browserVersions(), { name: "wrap", generateBundle: (_, files) => wrapEntry(files, name, wrap) }],
    build: {
      target: "es2022",
      outDir: out,
      emptyOutDir: false,
      copyPublicDir: false,
      chunkSizeWarningLimit: 2000,
      lib: {
        entry: join(root, `site/${folder}/${name}.ts`),
        formats: ["iife"],
        name: `expen_${name}`,
        fileName: () => `${name}.js`,
        cssFileName: name,
      },
    },
  });

function wrapEntry(files, name, wrap) {
  const entry = files[`${name}.js`];
  entry.code = wrap(entry.code);
}

await script("theme");
await script("site");
await script("live");
await script("tour", { folder: "tour" });
// a function whose text makes a worker (site/src/live.ts)
await script("runner", { wrap: (code) => `globalThis.expenRunner = function () {\n${code}\n};\n` });
if (values.playground) {
  await build({
    configFile: join(root, "playground/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: join(out, "play") },
  });
}
console.log(`${site.pages.length} pages are in ${out}; open index.html there.`);
if (values.serve) {
  const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
  const server = await preview({ ...settings, build: { outDir: out }, preview: { port: 4174, headers } });
  console.log(`They are served at ${server.resolvedUrls.local[0]} (Ctrl-C ends it).`);
}
