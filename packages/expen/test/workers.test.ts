/** minimizeOnWorkers in Node, with workers that import the built packages, as those of users do */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { gaussian, type Matrix, random } from "@expen/linalg";
import { ManyError, minimizeMany, stiefel } from "expen";
import { formula, mul, norm2, sub } from "expen/tape";
import { minimizeOnWorkers, serveItems } from "expen/workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const entry = (name: string): string => pathToFileURL(join(import.meta.dirname, "../dist", name)).href;
const [count, n, p] = [30, 6, 3];
const data = Array.from({ length: count }, (_, k): { A: Matrix; B: Matrix } => ({
  A: gaussian(8, n, random(k, "A")),
  B: gaussian(8, p, random(k, "B")),
}));
const source = (f: string): string => `
  import { stiefel } from ${JSON.stringify(entry("index.js"))};
  import { serveItems } from ${JSON.stringify(entry("workers.js"))};
  import { formula, mul, norm2, sub } from ${JSON.stringify(entry("tape.js"))};
  serveItems(${f}, { on: stiefel(${n}, ${p}) });
`;

let folder: string;
const modules: Record<string, string> = {
  procrustes: source("formula((X, { A, B }) => norm2(sub(mul(A, X), B)))"),
  broken: source("7"),
  ends: "process.exit(3);",
};
const open = (name: string) => (): Worker => new Worker(join(folder, `${name}.mjs`));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "expen-workers-"));
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, `${name}.mjs`), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("minimizeOnWorkers", () => {
  test("has the results of minimizeMany in order", async () => {
    const f = formula((X, { A, B }) => norm2(sub(mul(A!, X), B!)));
    const here = await minimizeMany(f, { on: stiefel(n, p), data });
    const done: number[] = [];
    const there = await minimizeOnWorkers(open("procrustes"), { data, workers: 2, progress: (o) => done.push(o.done) });
    expect(there.converged).toBe(count);
    expect(there.results.map(({ fval }) => fval)).toEqual(here.results.map(({ fval }) => fval));
    expect(there.best).toBe(here.best);
    expect(done.at(-1)).toBe(count);
  });

  test("an item that throws leaves the others done", async () => {
    const bad = data.map((item, k) =>
      k === 3 ? { ...item, A: { ...item.A, data: item.A.data.map(() => Number.NaN) } } : item,
    );
    const error = await minimizeOnWorkers(open("procrustes"), { data: bad, workers: 2 }).catch((e) => e);
    expect(error).toBeInstanceOf(ManyError);
    expect(error.message).toMatch(/1 of 30 problems failed.*problem 3: formula: entry \(0, 0\) of item\.A is NaN/);
    expect(error.results.filter(Boolean)).toHaveLength(count - 1);
  });

  test("a worker that cannot serve, or ends, is an error and not a wait", async () => {
    await expect(minimizeOnWorkers(open("broken"), { data })).rejects.toThrow(/7/);
    await expect(minimizeOnWorkers(open("ends"), { data })).rejects.toThrow(/ended with code 3/);
    await expect(minimizeOnWorkers(open("none"), { data })).rejects.toThrow(/none\.mjs/);
    await expect(minimizeOnWorkers(5 as never, { data })).rejects.toThrow(
      /open is 5; give a function that starts a worker/,
    );
  });

  test("a signal ends the workers", async () => {
    const stop = new AbortController();
    const run = minimizeOnWorkers(open("procrustes"), {
      data,
      workers: 1,
      signal: stop.signal,
      progress: () => stop.abort(new Error("enough")),
    });
    await expect(run).rejects.toThrow("enough");
    await expect(minimizeOnWorkers(open("procrustes"), { data, signal: stop.signal })).rejects.toThrow("enough");
  });

  test("workers end by themselves, those that are still opening an engine included: their exit code is 0", async () => {
    const ends: Promise<number>[] = [];
    const observed = (): Worker => {
      const worker = open("procrustes")();
      ends.push(new Promise((resolve) => worker.once("exit", resolve)));
      return worker;
    };
    await minimizeOnWorkers(observed, { data: data.slice(0, 2), workers: 2 });
    const stop = new AbortController();
    const run = minimizeOnWorkers(observed, { data, workers: 2, signal: stop.signal });
    stop.abort(new Error("at once"));
    await expect(run).rejects.toThrow("at once");
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
  });

  test("serveItems outside of a worker is an error with that reason", async () => {
    await expect(
      serveItems(
        formula((X) => norm2(X)),
        { on: stiefel(n, p) },
      ),
    ).rejects.toThrow(/not in a worker/);
  });
});
