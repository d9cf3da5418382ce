/** What a page takes: dist/standalone without a bundler, and the packages with one. `npm run test:hosts` runs it by every bundler and host; here is what can be read off it. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import type * as index from "expen";
import * as data from "expen/data";
import { build, parseAst, type Rolldown } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { root, umbrella } from "./workspace.js";

const folder = join(root, "packages/expen/dist/standalone");
const files = readdirSync(folder);

/**
 * Kilobytes, minified and compressed, that a page loads at once beside the engine of plain loops, which `openEngine` alone brings. Methods,
 * certificate and proofs come when a run needs them. They may only fall. The answer of `pca` is a model: it has the methods for new samples.
 */
const LARGEST_KB = { minimize: 36, pca: 46 };

/** The imports of a file, from its syntax tree; undefined: an import whose name is computed */
function imported(node: unknown): (string | undefined)[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, source } = node as { type?: string; source?: { value?: unknown } | null };
  const own = /^(Import|Export)/.test(type ?? "") && source ? [source.value as string | undefined] : [];
  return [...own, ...Object.values(node).flatMap(imported)];
}

test("imports are read of every form", () => {
  const code =
    'import "a"; import { b } from "b"; export * from "c"; export { d } from "d"; import("e"); import(f + 1);';
  expect(imported(parseAst(code))).toEqual(["a", "b", "c", "d", "e", undefined]);
});

test.each(files)("dist/standalone/%s imports files beside it alone", (file) => {
  const code = readFileSync(join(folder, file), "utf8");
  for (const name of imported(parseAst(code))) expect(files.map((file) => `./${file}`)).toContain(name);
  // the other ways to a module of Node
  expect(code).not.toMatch(/createRequire|getBuiltinModule|["'`]node:[\w/]+["'`]/);
});

test.each([...umbrella])("%s exports what it does in Node", async (name, source) => {
  const exported = await import(join(folder, `${name === "expen" ? "index" : basename(name)}.js`));
  expect(Object.keys(exported).sort()).toEqual(Object.keys(await import(source)).sort());
});

describe("in a page", () => {
  const open = async (): Promise<typeof index> => import(join(folder, "index.js"));

  test.each(["cuda", "blas", "mpi", "mpi-data"] as const)("%s is refused in a sentence", async (name) => {
    const { openEngine } = await open();
    await expect(openEngine(name)).rejects.toThrow(
      `${name}: there are no native libraries in a browser; use the wasm engine.`,
    );
  });

  test("auto takes wasm, and js where the policy of a page forbids WebAssembly", async () => {
    const { openEngine } = await open();
    // compiled modules are cached, so the refusal comes first
    const compile = vi.spyOn(WebAssembly, "compile").mockRejectedValue(new Error("blocked by CSP"));
    await expect(openEngine("wasm")).rejects.toThrow(
      "wasm: this host does not compile WebAssembly (blocked by CSP); allow 'wasm-unsafe-eval'",
    );
    expect((await openEngine()).name).toBe("js");
    compile.mockRestore();
    expect((await openEngine()).name).toBe("wasm");
  });

  test("a library that is named is refused, not passed over", async () => {
    const { openEngine } = await open();
    await expect(openEngine("auto", { library: "libopenblas.so.0" })).rejects.toThrow(/no native libraries/);
  });
});

describe("expen/data in a page", () => {
  const M = { rows: 2, cols: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6.5) };
  const place = mkdtempSync(join(tmpdir(), "expen-served-"));
  const server = createServer((request, response) => {
    const file = join(place, new URL(request.url!, "http://localhost").pathname);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404, "Not Found").end();
  });
  const reader = (): Promise<typeof data> => import(join(folder, "data.js"));
  let origin: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(place, { recursive: true });
  });

  test.each(data.extensions)("%s from an address equals the file", async (ending) => {
    await data.saveMatrix(join(place, `X${ending}`), M);
    const { matrix } = await (await reader()).loadMatrix(`${origin}/X${ending}?version=2`);
    expect(matrix).toEqual(M);
  });

  test("an address without a file, and writing, are errors in a sentence", async () => {
    const { loadMatrix, saveMatrix } = await reader();
    await expect(loadMatrix(`${origin}/Y.csv`)).rejects.toThrow("/Y.csv: the server answers 404 Not Found.");
    await expect(saveMatrix(`${origin}/Y.csv`, M)).rejects.toThrow("/Y.csv: a page cannot write files; offer");
    await expect(loadMatrix(`${origin}/Y`)).rejects.toThrow("the name has no ending");
  });
});

/** The kilobytes that a page with this code loads at once, minified and compressed; `words` gets the bundler's warnings. */
async function atOnce(code: string, words: string[] = []): Promise<number> {
  const entry = join(root, "page.js");
  const result = (await build({
    configFile: false,
    root,
    logLevel: "silent",
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
        moduleParsed: ({ id }) =>
          void (
            /packages\/\w+\/dist\//.test(id) ||
            /fflate/.test(id) ||
            id === entry ||
            id.startsWith("\0") ||
            words.push(id)
          ),
      },
    ],
    build: {
      write: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: "strict",
        onwarn: ({ message }) => void words.push(message),
        checks: { pluginTimings: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(result.output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file]] : [])));
  const names = new Set([...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of names) for (const other of chunks.get(name)!.imports) names.add(other);
  return [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)!.code).length, 0) / 1000;
}

test.each([
  { name: "minimize and stiefel", code: 'export { minimize, stiefel } from "expen";', most: LARGEST_KB.minimize },
  { name: "pca", code: 'export { pca } from "expen/apps";', most: LARGEST_KB.pca },
])("a bundler takes the packages without a word; $name: $most kB beside the engine at most", async ({ code, most }) => {
  const words: string[] = [];
  const beside = (await atOnce(code, words)) - (await atOnce('export { openEngine } from "expen";', words));
  expect(words).toEqual([]);
  expect(beside).toBeLessThan(most);
  expect(beside).toBeGreaterThan(most / 2);
});
