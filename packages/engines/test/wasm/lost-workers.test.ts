/** Workers that die, throw, never start or never answer: an error in a sentence within seconds, never an endless wait. */

import { Worker } from "node:worker_threads";
import { stiefel } from "@expen/core";
import type { Engine } from "@expen/linalg";
import { makeEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { expect, test, vi } from "vitest";
import { wasmParts } from "../../src/wasm/engine.js";
import { hire } from "../../src/wasm/hire.js";
import type { Hire } from "../../src/wasm/worker.js";

/** Parts of an engine, and the workers of Node behind it */
async function observed(threads: number, ...rest: [Parameters<typeof wasmParts>[1]?, Hire?]) {
  const workers: Worker[] = [];
  const spy = vi.spyOn(Worker.prototype, "unref").mockImplementation(function (this: Worker) {
    workers.push(this);
  });
  try {
    const parts = await wasmParts({ threads }, ...rest);
    return { parts, workers, E: makeEngine({ name: "wasm", ...parts }) };
  } finally {
    spy.mockRestore();
    for (const worker of workers) worker.unref();
  }
}

function seconds(work: () => unknown): number {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1000;
}

const LOST =
  /^wasm: a worker was lost in the middle of 'gemm'; dispose this engine and open a new one, or use threads = 1\.$/;

/** A few milliseconds of work for each thread */
function product(E: Engine): void {
  const A = E.small(600, 600);
  E.mul(E.small(600, 600), A, A);
}

test.each([2, 3])("one of %i threads dies in the middle of a product", async (threads) => {
  const { parts, workers, E } = await observed(threads);
  expect(workers).toHaveLength(threads - 1);
  const n = 1200;
  const [A, C] = [parts.memory.allocate(n, n, E, "tall"), parts.memory.allocate(n, n, E, "tall")];
  const space = parts.heap.reserve(threads * parts.host.exports.scratchBytes());
  const share = (die: boolean): number =>
    parts.crew!.share("gemm", n, 4, (i, end, t) => {
      // the workers have begun when this thread asks for its own part
      if (die && t === 0) void workers.at(-1)!.terminate();
      const scratch = space + t * parts.host.exports.scratchBytes();
      return [end - i, n, n, 1, A.at + 8 * i * n, n, 0, A.at, n, 0, 0, C.at + 8 * i * n, n, scratch];
    });
  share(false);
  const spent = seconds(() => expect(() => share(true)).toThrow(LOST));
  expect(spent).toBeLessThan(5);
  // the engine stays broken, and says so at once
  expect(seconds(() => expect(() => product(E)).toThrow(LOST))).toBeLessThan(1);
  E.dispose();
});

test("a worker that died between jobs", async () => {
  const { workers, E } = await observed(2);
  await workers[0]!.terminate();
  expect(seconds(() => expect(() => product(E)).toThrow(LOST))).toBeLessThan(5);
});

test("a kernel that throws in a worker: its error reaches this thread at once", async () => {
  const { parts, E } = await observed(2);
  const outside = 2 ** 31;
  const spent = seconds(() =>
    expect(() => parts.crew!.share("fill", 16, 8, (i, end, t) => [end - i, 1, t === 0 ? 1024 : outside])).toThrow(
      /^wasm: a worker threw RuntimeError: memory access out of bounds in the middle of 'fill'; dispose/,
    ),
  );
  expect(spent).toBeLessThan(0.2);
  E.dispose();
});

test("a worker that never starts", async () => {
  const silent: Hire = (task, limit) => {
    const spy = vi.spyOn(Worker.prototype, "once").mockReturnThis();
    return hire(task, limit).finally(() => spy.mockRestore());
  };
  const began = performance.now();
  await expect(wasmParts({ threads: 2 }, { start: 0.5 }, silent)).rejects.toThrow(
    "wasm: a worker for threads = 2 did not start (it gave no sign of life within 0.5 s); use threads = 1.",
  );
  expect(performance.now() - began).toBeLessThan(5000);
});

test("a worker that throws before it is ready", async () => {
  const ends: Hire = (task) => hire({ ...task, block: -8 });
  await expect(wasmParts({ threads: 2 }, {}, ends)).rejects.toThrow(
    /^wasm: a worker for threads = 2 did not start \(.*offset.*\); use threads = 1\.$/i,
  );
});

test("a worker that starts but never answers", async () => {
  const deaf: Hire = async () => ({ alive: () => true, end: () => {} });
  const { E } = await observed(2, { seconds: 0.5, times: 2 }, deaf);
  const spent = seconds(() =>
    expect(() => product(E)).toThrow(/^wasm: a worker gave no result for .* s in the middle/),
  );
  expect(spent).toBeGreaterThan(0.4);
  expect(spent).toBeLessThan(5);
});

test("a run whose worker dies ends with the error and its last point", async () => {
  const { workers, E } = await observed(2);
  const [n, p] = [4000, 40];
  let evaluations = 0;
  const run = minimize(
    (K) => {
      const D = K.tall(n, 1);
      for (let i = 0; i < n; i++) D.data[i] = Math.cos(i * i);
      return {
        fg(G, X) {
          if (++evaluations === 5) void workers[0]!.terminate();
          K.scaleRows(G, D, X);
          return 0.5 * K.dot(X, G);
        },
      };
    },
    { on: stiefel(n, p), engine: E, check: false },
  );
  const error = await run.then(
    () => expect.fail("the run did not notice"),
    (e: Error & { X: { data: Float64Array } }) => e,
  );
  expect(error.name).toBe("ObjectiveError");
  expect(error.message).toMatch(/^the run ended after \d+ iterations: wasm: a worker was lost in the middle of/);
  expect(error.X.data).toHaveLength(n * p);
  E.dispose();
});
