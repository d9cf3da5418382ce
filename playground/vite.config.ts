/** The page as static files in packages/expen/dist/playground, from where the command line serves them; `base` is relative, so that any folder of any host can serve it. */
import { fileURLToPath } from "node:url";
import { POLICY } from "expen/cli";
import { defineConfig, type Plugin } from "vite";
import { browserVersions } from "../scripts/browser-versions.mjs";
import { aliases } from "../scripts/sources.mjs";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** First in the head, so that it holds for everything after it. Vite's own server needs more than the policy allows. */
const policy = (): Plugin => ({
  name: "policy",
  apply: "build",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: POLICY }, injectTo: "head-prepend" },
  ],
});

export default defineConfig({
  root: at("."),
  base: "./",
  // molecules, inlined by the worker
  assetsInclude: ["**/*.npz"],
  plugins: [browserVersions(), policy()],
  resolve: { alias: aliases },
  worker: { format: "es", plugins: () => [browserVersions()] },
  build: {
    outDir: at("../packages/expen/dist/playground"),
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 700,
  },
  server: {
    headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
  },
});
