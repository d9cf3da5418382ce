import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { blasHere } from "../contracts/blas-here.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Steps runs in a process of its own and reports heap bytes and engine matrices per iteration. The least of several windows: until the
 * optimizing compiler has seen a function some thousand times every sum of two numbers makes an object, and V8 allocates for itself now and
 * then. Many runs of some dozen steps, because one run converges before that.
 */
const script = (engine: string, problem: string, solver: string, beta: string) => `
  const { openEngine, noeig, brockett, randomStart, solvers, solveStiefel } = await import("./dist/src/index.js");
  const [n, p] = [60, 4];
  const E = await openEngine("${engine}");
  const step = (runs, count) => {
    let done = 0;
    for (const steps of runs) for (let i = 0; i < count && !steps.next().done; i++) done++;
    return done;
  };
  const heap = () => process.memoryUsage().heapUsed;

  function measure(make) {
    const least = { passing: Infinity, kept: Infinity, matrices: Infinity, count: 0 };
    for (let window = 0; window < 40 && !(least.passing < 60); window++) {
      const runs = Array.from({ length: 120 }, make);
      // every matrix is made, then touched after the last growth of the memory
      step(runs, 1);
      step(runs, 15);
      globalThis.gc();
      const [matrices, before] = [E.counters.matrices, heap()];
      least.count = step(runs, 25);
      const after = heap();
      globalThis.gc();
      least.passing = Math.min(least.passing, (after - before) / least.count);
      least.kept = Math.min(least.kept, (heap() - before) / least.count);
      least.matrices = Math.min(least.matrices, E.counters.matrices - matrices);
    }
    return least;
  }

  const rows = [];
  const { objective } = { noeig, brockett }["${problem}"](E, { n, p });
  const [solver, beta] = ["${solver}", "${beta}"];
  const bare = () => solvers[solver].create(E, objective, randomStart(E, n, p, 1), { beta });
  const whole = () => solveStiefel(E, objective, { solver, beta, tol: 0 });
  rows.push({ how: "generator", ...measure(bare) });
  rows.push({ how: "solveStiefel", ...measure(whole) });
  console.log(JSON.stringify(rows));
`;

interface Measured {
  how: string;
  passing: number;
  kept: number;
  matrices: number;
  count: number;
}

const { absent } = await blasHere({});
const engines = ["js", "wasm", ...(absent ? [] : ["blas"])];
const runs = ["noeig", "brockett"].flatMap((problem) =>
  [
    ["expen-cg", "paper"],
    ["expen-cg", "auto"],
    ["expen", "auto"],
  ].map((run) => [problem, ...run] as [string, string, string]),
);

describe.each(engines)("on %s", (engine) => {
  test.each(runs)(
    "%s: the loop of %s, β %s, makes no matrix and, in its quietest window, less than 64 bytes of heap an iteration",
    (...run) => {
      expect(existsSync(`${root}/dist/src/index.js`), "run npm run build first").toBe(true);
      // no collection during the measurement: a young generation larger than what may be allocated
      const flags = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256"];
      const out = execFileSync(process.execPath, [...flags, "--input-type=module", "-e", script(engine, ...run)], {
        cwd: root,
        encoding: "utf8",
      });
      for (const { how, passing, kept, matrices, count } of JSON.parse(out) as Measured[]) {
        expect({ how, enough: count > 2000, matrices }).toEqual({ how, enough: true, matrices: 0 });
        // all that is made, and what of it outlives a collection
        expect(passing, `${how}: passing`).toBeLessThan(64);
        expect(kept, `${how}: kept`).toBeLessThan(64);
      }
    },
  );
});
