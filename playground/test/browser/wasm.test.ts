/** The wasm engine in a real browser: bundled by vite, and the build for pages without a bundler, with and without cross-origin isolation. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumIsThereOrNeedNotBe, executablePath, launch } from "@expen/testing/browser/chromium";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserVersions } from "../../../scripts/browser-versions.mjs";
import { aliases } from "../../../scripts/sources.mjs";

const packages = fileURLToPath(new URL("../../../packages", import.meta.url));
const standalone = join(packages, "expen/dist/standalone");

chromiumIsThereOrNeedNotBe();

/** The build without imports under /standalone/, the bundle under /bundle/; pages under /isolated/ and /plain/ */
function serve(bundle: string): Promise<Server> {
  const server = createServer(async ({ url = "" }, response) => {
    const path = url.split("?")[0]!;
    if (path.startsWith("/isolated")) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    const script = path.replace(/^\/(isolated|plain)/, "");
    const file = script.replace(/^\/standalone/, standalone).replace(/^\/bundle/, bundle);
    if (script === "/") {
      response.setHeader("Content-Type", "text/html").end("<!doctype html><title>wasm</title>");
      return;
    }
    try {
      response.setHeader("Content-Type", "text/javascript").end(await readFile(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Runs in the page: products of both engines, and by how much they differ. */
const compare = (from: string, options: object): string => `(async () => {
  const { wasmEngine, jsEngine } = await import(${JSON.stringify(from)});
  const [E, J] = [await wasmEngine(${JSON.stringify(options)}), jsEngine()];
  const numbers = (rows, cols, seed) => Float64Array.from({ length: rows * cols }, (_, i) => Math.sin(seed + i * i));
  let worst = 0;
  for (const [n, p] of [[5, 3], [1003, 51], [4000, 64]]) {
    const results = [E, J].map((K) => {
      const X = K.tall(n, p, numbers(n, p, 1));
      const S = K.small(p, p, numbers(p, p, 2));
      const [G, Y, T] = [K.small(p, p), K.tall(n, p), K.small(p, p)];
      K.gram(G, X);
      K.mul(Y, X, S, 2);
      K.combine(Y, 1, X, -1, Y);
      K.tmul(T, X, Y);
      return [...G.data, ...Y.data, ...T.data, K.dot(X, Y)];
    });
    results[0].forEach((v, i) => { worst = Math.max(worst, Math.abs(v - results[1][i]) / (1 + Math.abs(results[1][i]))); });
  }
  E.dispose();
  return { worst, description: E.description, isolated: crossOriginIsolated };
})()`;

describe.runIf(executablePath)("in chromium", () => {
  const bundle = mkdtempSync(join(tmpdir(), "expen-bundle-"));
  let browser: Browser;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    const entry = join(bundle, "entry");
    await build({
      root: packages,
      configFile: false,
      logLevel: "error",
      resolve: { alias: aliases },
      plugins: [
        browserVersions(),
        {
          name: "entry",
          resolveId: (id) => (id === entry ? id : undefined),
          load: (id) =>
            id === entry
              ? `export { wasmEngine, wasmParts } from "${packages}/engines/src/wasm/engine.ts"; export { jsEngine } from "@expen/linalg/engine";`
              : undefined,
        },
      ],
      build: {
        outDir: bundle,
        emptyOutDir: false,
        lib: { entry, formats: ["es"], fileName: () => "bundle.js" },
        minify: false,
        rollupOptions: {
          onwarn: (warning) => {
            throw new Error(`bundling warns: ${warning.message}`);
          },
        },
      },
    });
    server = await serve(bundle);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(bundle, { recursive: true, force: true });
  });

  async function inPage<T>(where: string, script: string): Promise<T> {
    const page = await browser.newPage();
    try {
      await page.goto(`${origin}/${where}/`);
      return (await page.evaluate(script)) as T;
    } finally {
      await page.close();
    }
  }

  test.each([
    ["isolated", "one thread", {}, /relaxed SIMD, 1 thread$/],
    ["isolated", "plain SIMD", { relaxed: false }, /WebAssembly SIMD, 1 thread$/],
    ["isolated", "two threads", { threads: 2 }, /2 threads$/],
    ["plain", "one thread", {}, /1 thread$/],
  ])("%s page, %s: products equal those of js", async (where, _title, options, description) => {
    const result = await inPage<{ worst: number; description: string; isolated: boolean }>(
      where,
      compare(`/${where}/bundle/bundle.js`, options),
    );
    expect(result.isolated).toBe(where === "isolated");
    expect(result.description).toMatch(description);
    expect(result.worst).toBeLessThan(1e-12);
  });

  test("the build for pages without a bundler works as it is", async () => {
    const { rows, description } = await inPage<{ rows: number; description: string }>(
      "isolated",
      `import("/isolated/standalone/index.js").then(async ({ openEngine }) => {
        const E = await openEngine("wasm", { threads: 2 });
        return { rows: E.tall(3, 2).rows, description: E.description };
      })`,
    );
    expect(rows).toBe(3);
    expect(description).toMatch(/2 threads/);
  });

  /** In the page: an engine of two threads whose worker is known and has little time, and what becomes of `work` on it. */
  const lose = (work: string, patience = {}): Promise<{ text: string; seconds: number }> =>
    inPage(
      "isolated",
      `(async () => {
        const workers = [];
        const Plain = Worker;
        self.Worker = class extends Plain { constructor(...args) { super(...args); workers.push(this); } };
        const { wasmParts } = await import("/isolated/bundle/bundle.js");
        const began = performance.now();
        try {
          const parts = await wasmParts({ threads: 2 }, ${JSON.stringify(patience)});
          await (${work})(parts.crew, workers[0], parts);
          return { text: "nothing was thrown", seconds: 0 };
        } catch (error) {
          return { text: error.message, seconds: (performance.now() - began) / 1000 };
        }
      })()`,
    );

  test("a worker that is gone, throws or never starts is an error within seconds", async () => {
    const dead = await lose(
      // a browser lets a worker that it ends go on for up to two seconds
      `async (crew, worker, { host, memory }) => {
        worker.terminate();
        await new Promise((resolve) => setTimeout(resolve, 2500));
        const A = memory.allocate(512, 512, host);
        const scratch = [0, 1].map(() => memory.allocate(1, host.exports.scratchBytes() / 8, host).at);
        crew.share("gemm", 512, 4, (i, end, t) =>
          [end - i, 512, 512, 1, A.at, 512, 0, A.at, 512, 0, 0, A.at, 512, scratch[t]]);
      }`,
      { seconds: 1, times: 2 },
    );
    expect(dead.text).toMatch(/^wasm: a worker gave no result for .* s in the middle of 'gemm'; dispose this engine/);
    expect(dead.seconds).toBeLessThan(10);
    const thrown = await lose(
      `(crew) => crew.share("fill", 16, 8, (i, end, t) => [end - i, 1, t === 0 ? 1024 : 2 ** 31])`,
    );
    expect(thrown.text).toMatch(/^wasm: a worker threw RuntimeError: memory access out of bounds in the middle of/);
    const mute = `URL.createObjectURL = () => "data:text/javascript,";`;
    const { text } = await inPage<{ text: string }>(
      "isolated",
      `${mute} import("/isolated/bundle/bundle.js").then(({ wasmParts }) => wasmParts({ threads: 2 }, { start: 0.3 }))
        .then(() => ({ text: "" }), (error) => ({ text: error.message }))`,
    );
    expect(text).toBe(
      "wasm: a worker for threads = 2 did not start (it gave no sign of life within 0.3 s); use threads = 1.",
    );
  });

  test("threads on a page without cross-origin isolation are refused in a sentence", async () => {
    const text = await inPage<string>(
      "plain",
      `import("/plain/bundle/bundle.js").then(({ wasmEngine }) => wasmEngine({ threads: 2 })).catch((e) => e.name + ": " + e.message)`,
    );
    expect(text).toMatch(
      /^EngineError: wasm: threads is 2 but this page is not cross-origin isolated; .*threads = 1\.$/,
    );
  });
});
