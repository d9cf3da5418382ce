/** Memory of a run of `expen` on noeig in matrices of n×p: what it asked for, and what a process of its own held at its peak. */
import "@expen/engines/relaxed-simd";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEngine } from "@expen/engines";
import { noeig } from "@expen/experiments/paper";
import type { Problem } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import { solveStiefel } from "@expen/solvers";
import { collectGarbage } from "./garbage.js";
import { ROOT } from "./peers.js";

export interface MemoryPoint {
  n: number;
  p: number;
  /** n×p matrices that were made in the run, but those of f; what is alive at one time cannot be more */
  asked: number;
  /** p×p ones; in `asked` where they were not counted apart */
  squares?: number;
  /** growth of the resident memory of the process; null where it could not be run */
  peak: number | null;
}

/** What a run may take. */
export const MATRICES = 16;

/** The same engine, which adds up the numbers it was asked to hold: in n×p matrices, and in p×p ones. */
export function weighing(E: Engine): { engine: Engine; held: () => { tall: number; small: number } } {
  const numbers = { tall: 0, small: 0 };
  return {
    engine: {
      ...E,
      tall(rows, cols, given) {
        numbers.tall += rows * cols;
        return E.tall(rows, cols, given);
      },
      small(rows, cols, given) {
        numbers.small += rows * cols;
        return E.small(rows, cols, given);
      },
    },
    held: () => numbers,
  };
}

const ITERATIONS = 40;

/** The largest resident memory seen at an iteration or at the end, in bytes. */
function run(E: Engine, { objective }: Problem): number {
  const options = { tol: 0, maxIterations: ITERATIONS, certificate: "stationary" } as const;
  const steps = solveStiefel(E, objective, options);
  for (let most = 0; ; ) {
    const { done } = steps.next();
    most = Math.max(most, process.memoryUsage.rss());
    if (done) return most;
  }
}

/** In this process, which should be fresh. (Its own record, maxRSS, is of no use: it begins with that of the process that started it.) */
async function weigh(n: number, p: number): Promise<MemoryPoint> {
  const E = await openEngine("auto", { threads: 1 });
  for (let i = 0; i < 5; i++) run(E, noeig(E, { n: 2 * p, p })); // compilers and libraries take their memory before
  await collectGarbage();
  const problem = noeig(E, { n, p });
  const before = process.memoryUsage.rss();
  const { engine, held } = weighing(E);
  const peak = run(engine, problem) - before;
  const { tall, small } = held();
  return { n, p, asked: tall / (n * p), squares: small / (p * p), peak: peak / (8 * n * p) };
}

const SELF = fileURLToPath(import.meta.url);

/** In a process of its own. */
export function peakMemory(n: number, p: number): MemoryPoint {
  // from the sources, in a test: the built one, as to compile them takes longer than the run
  const script = SELF.endsWith(".ts") ? join(ROOT, "bench/dist/memory.js") : SELF;
  const { stdout } = spawnSync(process.execPath, [script, String(n), String(p)], { encoding: "utf8" });
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
