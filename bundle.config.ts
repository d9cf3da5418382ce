/**
 * What is published, in few files: to open two hundred modules takes longer than a small run. What a run may not need (engines, the
 * readers of archives, a server) is imported when it is asked for and is a file of its own. Nothing is minified, so that stacks can be
 * read. All files lie in one folder: scripts find each other there, and a stack shows which frames are ours (packages/tape/src/source-line.ts).
 *
 * dist/bundle is for Node and its kin. dist/browser (`--mode browser`) is for every other host: it imports nothing but itself.
 */
import { chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { browserVersions } from "./browser-versions.js";
import { entries } from "./entries.js";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The benchmark is no part of the package: `expen bench` takes it from the repository's dist/bench, where there is one. */
const benchOutside = (): Plugin => ({
  name: "bench-outside",
  enforce: "pre",
  resolveId: (id) => (id.endsWith("/bench/run.js") ? { id: "../bench/run.js", external: "relative" } : undefined),
});

/** npx makes a command executable when it sees it first, not after the next build. */
const executable = (): Plugin => ({
  name: "executable",
  writeBundle: () => chmodSync(at("dist/bundle/main.js"), 0o755),
});

/** Ends the build where anything but a file of ours, or a package that is bundled with it, is imported. */
const onlyBundled = (packages: string[]): Plugin => ({
  name: "only-bundled",
  enforce: "pre",
  resolveId(id, importer) {
    if (/^[./\0]/.test(id) || packages.includes(id)) return;
    this.error(`${importer} imports '${id}', which no browser has; see browser-versions.ts.`);
  },
});

/**
 * Names of chunks stay as they are: a page or a cache knows a version by the folder. What every entry needs is one file, not a dozen:
 * two hundred files took 0.2 s to open.
 */
const output = {
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  codeSplitting: {
    groups: [
      {
        name: "foundations",
        test: /src\/(?:(?:arrays|memory)\/.*|[a-z]+)(?<!index|minimize|stiefel|certify|check)\.ts$/,
      },
    ],
  },
};

const node: UserConfig = {
  plugins: [benchOutside(), executable()],
  build: {
    ssr: true,
    target: "es2022",
    outDir: at("dist/bundle"),
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        ...entries,
        main: at("packages/expen/src/cli/main.ts"),
        // a program of its own, for mpirun
        "mpi-speed": at("packages/expen/src/cli/mpi-speed.ts"),
      },
      output,
    },
  },
};

const browser: UserConfig = {
  plugins: [browserVersions(), onlyBundled(["fflate"])],
  build: {
    target: "es2022",
    minify: false,
    outDir: at("dist/browser"),
    emptyOutDir: true,
    lib: { entry: entries, formats: ["es"] },
    rolldownOptions: { output },
  },
};

export default defineConfig(({ mode }) => (mode === "browser" ? browser : node));
