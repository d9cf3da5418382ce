/** The page as static files in dist/playground; `base` is relative, so that any folder of any host can serve it. */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { POLICY } from "../cli/playground-policy.js";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The engines of native libraries are for Node alone; the page must not carry them. */
const NATIVE = ["./blas.js", "./cuda.js", "./mpi-open.js"];
const withoutNative = (): Plugin => ({
  name: "without-native",
  enforce: "pre",
  resolveId: (id, importer) =>
    NATIVE.includes(id) && importer?.endsWith("/src/engines/open.ts")
      ? at("src/worker/no-native-engine.ts")
      : undefined,
});

/** First in the head, so that it holds for everything after it. Vite's own server needs more than the policy allows. */
const policy = (): Plugin => ({
  name: "policy",
  apply: "build",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: POLICY }, injectTo: "head-prepend" },
  ],
});

const plugins = (): Plugin[] => [withoutNative()];

export default defineConfig({
  root: at("."),
  base: "./",
  // molecules, inlined by the worker
  assetsInclude: ["**/*.npz"],
  plugins: [...plugins(), policy()],
  resolve: {
    alias: [
      { find: /^expen$/, replacement: at("../src/index.ts") },
      { find: /^expen\/internal$/, replacement: at("../src/internal.ts") },
    ],
  },
  worker: { format: "es", plugins },
  build: { outDir: at("../dist/playground"), emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 700 },
  server: {
    headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
  },
});
