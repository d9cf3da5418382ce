/** When other workers are opened: after a simulated worker whose problems take less and less time */
import { availableParallelism } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Answer, Work, WorkerLike } from "../src/workers/messages.js";
import { minimizeOnWorkers } from "../src/workers/on-workers.js";
import { pace } from "../src/workers/pace.js";

/** A worker that starts for so long, and takes `each(k)` for problem k: when it would get company, or never */
function simulated(of: number, start: number, each: (k: number) => number): { opened?: number; alone: number } {
  const speed = pace();
  let [clock, next, opened] = [start, 0, undefined as number | undefined];
  while (next < of) {
    const first = next;
    const sent = clock;
    next += speed.group(of - next, 2);
    for (let k = first; k < next; k++) clock += each(k);
    speed.took(clock - sent, next - first);
    if (speed.pays(of - next, clock)) opened ??= clock;
  }
  return { opened, alone: clock };
}
/** 30 ms at first and 2 ms after some forty problems, as own f in loops on stiefel(20, 3) */
const warming = (k: number): number => 2 + 28 * 0.9 ** k;

test("a thousand problems of two milliseconds stay with one worker where a start takes 0.9 s", () => {
  expect(simulated(1000, 900, warming).opened).toBeUndefined();
});

test("ten thousand of them get other workers, before a tenth of the time has passed", () => {
  const { opened, alone } = simulated(10_000, 900, warming);
  expect(opened).toBeLessThan(alone / 10);
});

test("the first slow problems do not count as the pace", () => {
  const { opened } = simulated(2000, 100, warming);
  expect(opened === undefined || opened > 100 + 280).toBe(true);
});

test("three problems of a second each get other workers after the first", () => {
  expect(simulated(3, 300, () => 1000).opened).toBe(1300);
});

test("groups take some 100 ms, are never empty, and become small at the end", () => {
  const speed = pace();
  expect(speed.group(1000, 2)).toBe(1);
  speed.took(40, 20);
  expect(speed.group(1000, 2)).toBe(50);
  expect(speed.group(10, 2)).toBe(3);
  expect(speed.group(1, 8)).toBe(1);
  speed.took(60_000, 1);
  expect(speed.group(1000, 2)).toBe(1);
});

describe("minimizeOnWorkers without a number of workers", () => {
  afterEach(() => void vi.useRealTimers());

  /** A worker that is ready, and answers each group `after` so many milliseconds */
  function answering(after: number): WorkerLike {
    let say: (answer: Answer) => void = () => undefined;
    const solution = {
      result: { X: { rows: 1, cols: 1, data: Float64Array.of(1) }, fval: 0, reason: { converged: true } },
    };
    return {
      on(kind, listener) {
        if (kind !== "message") return;
        say = listener;
        setTimeout(() => say({ kind: "ready" }), 10);
      },
      postMessage(message) {
        const solved = (message as Work).problems.map(() => ({ ...solution, decrease: 1 })) as never;
        setTimeout(() => say({ kind: "solved", solved }), after);
      },
      terminate: () => undefined,
    };
  }

  /** The number of workers that are opened for so many problems, where a group takes the k-th worker `after(k)` */
  async function opened(count: number, after: (k: number) => number): Promise<number> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    let workers = 0;
    const run = minimizeOnWorkers(() => answering(after(workers++)), { count });
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await run).converged).toBe(count);
    return workers;
  }

  test("a few problems that are soon solved have one worker", async () => {
    expect(await opened(3, () => 1)).toBe(1);
  });

  test("where the first answer is long in coming, the others take the rest", async () => {
    expect(await opened(50, (k) => (k === 0 ? 5000 : 1))).toBe(Math.min(50, availableParallelism()));
  });
});
