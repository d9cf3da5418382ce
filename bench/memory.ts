/** Memory of a run of `expen` on noeig in matrices of n×p: what it asked for, and what a process of its own held at its peak. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openEngine } from "../src/engines/open.js";
import { noeig } from "../src/problems/noeig.js";
import { solveStiefel } from "../src/stiefel.js";
import type { Engine } from "../src/types.js";
import { collectGarbage } from "./garbage.js";

export interface MemoryPoint {
  n: number;
  p: number;
  /** every matrix that was made in the run, whatever its size; what is alive at one time cannot be more */
  asked: number;
  /** growth of the resident memory of the process; null where it could not be run */
  peak: number | null;
}

/** The same engine, which adds up the numbers it was asked to hold. */
export function weighing(E: Engine): { engine: Engine; held: () => number } {
  let numbers = 0;
  return {
    engine: {
      ...E,
      matrix(rows, cols) {
        numbers += rows * cols;
        return E.matrix(rows, cols);
      },
      from(source) {
        numbers += source.rows * source.cols;
        return E.from(source);
      },
    },
    held: () => numbers,
  };
}

const ITERATIONS = 40;

function run(E: Engine, n: number, p: number): void {
  const options = { tol: 0, maxIterations: ITERATIONS, certificate: "stationary" } as const;
  const steps = solveStiefel(E, noeig(E, { n, p }).objective, options);
  while (!steps.next().done);
}

/** In this process, which must be fresh: its peak is remembered for good. */
async function weigh(n: number, p: number): Promise<MemoryPoint> {
  const E = await openEngine("auto", { threads: 1 });
  for (let i = 0; i < 5; i++) run(E, 200, p); // compilers and libraries take their memory before
  await collectGarbage();
  const before = process.memoryUsage.rss();
  const { engine, held } = weighing(E);
  run(engine, n, p);
  const after = process.resourceUsage().maxRSS * 1024;
  return { n, p, asked: held() / (n * p), peak: (after - before) / (8 * n * p) };
}

const SELF = fileURLToPath(import.meta.url);

/** In a process of its own. */
export function peakMemory(n: number, p: number): MemoryPoint {
  const loader = SELF.endsWith(".ts") ? ["--import", "jiti/register"] : [];
  const { stdout } = spawnSync(process.execPath, [...loader, SELF, String(n), String(p)], { encoding: "utf8" });
  try {
    return JSON.parse(stdout) as MemoryPoint;
  } catch {
    return { n, p, asked: Number.NaN, peak: null };
  }
}

if (process.argv[1] === SELF) {
  const [n, p] = process.argv.slice(2).map(Number) as [number, number];
  console.log(JSON.stringify(await weigh(n, p)));
}
