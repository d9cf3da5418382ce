/** Memory of a run of `expen` on noeig in matrices of n×p: the matrices it allocates, and the peak memory of a process of its own. */
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
  /** n×p matrices that the run allocates beside those of f: a bound of those alive at any time */
  asked: number;
  /** p×p matrices; part of `asked` where they are not counted separately */
  squares?: number;
  /** growth of the resident memory of the process; null where it could not be run */
  peak: number | null;
}

/** Bound of the n×p matrices of a run where f is cheap: ten and eight curvature pairs */
export const MATRICES = 26;

/** The engine with a count of the numbers it allocates, in n×p and in p×p matrices. */
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

/** Iterations of a run; memory is constant after the first few. */
const ITERATIONS = 40;

/** The largest resident memory seen at an iteration or at the end, in bytes. */
async function run(E: Engine, { objective }: Problem): Promise<number> {
  const options = { tol: 0, maxIterations: ITERATIONS, certificate: "stationary" } as const;
  const steps = await solveStiefel(E, objective, options);
  for (let most = 0; ; ) {
    const { done } = steps.next();
    most = Math.max(most, process.memoryUsage.rss());
    if (done) return most;
  }
}

/** Measures in this process, which should be fresh. Its maxRSS is useless: it begins with that of the parent process. */
async function weigh(n: number, p: number): Promise<MemoryPoint> {
  const E = await openEngine("auto", { threads: 1 });
  for (let i = 0; i < 5; i++) await run(E, noeig(E, { n: 2 * p, p })); // compilers and libraries take their memory before
  await collectGarbage();
  const problem = noeig(E, { n, p });
  const before = process.memoryUsage.rss();
  const { engine, held } = weighing(E);
  const peak = (await run(engine, problem)) - before;
  const { tall, small } = held();
  return { n, p, asked: tall / (n * p), squares: small / (p * p), peak: peak / (8 * n * p) };
}

const SELF = fileURLToPath(import.meta.url);

/** Measures in a process of its own. */
export function peakMemory(n: number, p: number): MemoryPoint {
  // a test runs the built file, since compiling the sources takes longer than the run
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
