import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Steps a solver in a process of its own and reports heap bytes and engine matrices per iteration. */
const script = (solver: string, problem: string) => `
  const { jsEngine, ${problem}, solvers, randomStart } = await import("./dist/src/index.js");
  const E = jsEngine();
  const { objective } = ${problem}(E, { n: 24, p: 3 });
  const make = () => solvers["${solver}"].create(E, objective, randomStart(E, 24, 3, 1), { beta: ${solver === "expen-cg" ? '"paper"' : '"auto"'} });
  const run = (steps, count) => { for (let i = 0; i < count; i++) if (steps.next().done) return i; return count; };
  // the optimizing compiler must be done before anything is measured
  for (let i = 0; i < 300; i++) run(make(), 40);
  const all = Array.from({ length: 200 }, make);
  for (const steps of all) run(steps, 2);
  globalThis.gc();
  const [matrices, before] = [E.counters.matrices, process.memoryUsage().heapUsed];
  let count = 0;
  for (const steps of all) count += run(steps, 30);
  const after = process.memoryUsage().heapUsed;
  globalThis.gc();
  const kept = process.memoryUsage().heapUsed;
  const per = (bytes) => (bytes - before) / count;
  console.log(JSON.stringify({ passing: per(after), kept: per(kept), matrices: E.counters.matrices - matrices, count }));
`;

test.each([
  ["expen-cg", "noeig"],
  ["expen-cg", "brockett"],
  ["expen-lbfgs", "noeig"],
  ["expen", "brockett"],
])("the hot loop of %s makes no matrix and keeps less than 64 bytes of heap an iteration", (solver, problem) => {
  expect(existsSync(`${root}/dist/src/index.js`), "run npm run build first").toBe(true);
  // no collection during the measurement: a young generation larger than what may be allocated
  const out = execFileSync(
    process.execPath,
    [
      "--expose-gc",
      "--max-semi-space-size=256",
      "--min-semi-space-size=256",
      "--input-type=module",
      "-e",
      script(solver, problem),
    ],
    { cwd: root, encoding: "utf8" },
  );
  const { passing, kept, matrices, count } = JSON.parse(out);
  expect(count).toBeGreaterThan(3000);
  expect(matrices).toBe(0);
  expect(kept).toBeLessThan(64);
  // what passes: numbers that V8 boxes when one function hands them to another, and a p×p eigenproblem a stage; no n×p array
  expect(passing).toBeLessThan(2048);
});
