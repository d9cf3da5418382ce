/**
 * `npm run bench:heap`: bytes of heap and matrices an iteration makes, once V8 has compiled the loop. Until then every sum of two numbers is
 * an object, whatever the code does (docs/decisions/0006).
 */
import "../cli/relaxed-simd.js";
import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { availableEngines, type EngineName, engineNames, openEngine } from "../src/engines/open.js";
import { brockett } from "../src/problems/brockett.js";
import { noeig } from "../src/problems/noeig.js";
import type { SolverName } from "../src/solvers/catalog.js";
import { solveStiefel } from "../src/stiefel.js";
import { textTable } from "./tables.js";

const PROBLEMS = { noeig, brockett };
type ProblemName = keyof typeof PROBLEMS;

export interface HeapRow {
  engine: EngineName;
  problem: ProblemName;
  solver: SolverName;
  beta: "auto" | "paper";
}

export interface Heap {
  /** bytes an iteration makes, and those of them that outlive a collection: the middle one of the windows */
  made: number;
  kept: number;
  /** the least and the most of all windows */
  least: number;
  most: number;
  /** matrices made in all windows */
  matrices: number;
  /** iterations of a window */
  iterations: number;
}

const [N, P] = [60, 4];
/** A run converges in some dozen steps, so a window takes many runs; the first of them are V8's. */
const [RUNS, STEPS, EARLY, WINDOWS] = [80, 25, 22, 9];

/** Young objects stay where they are between collections, which come only when they are called. */
const FLAGS = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256"];

async function measure({ engine, problem, solver, beta }: HeapRow): Promise<Heap> {
  const collect = globalThis.gc!;
  const heap = (): number => process.memoryUsage().heapUsed;
  const E = await openEngine(engine);
  const { objective } = PROBLEMS[problem](E, { n: N, p: P });
  const [made, kept]: [number[], number[]] = [[], []];
  let [matrices, iterations] = [0, 0];
  for (let window = 0; window < EARLY + WINDOWS; window++) {
    const runs = Array.from({ length: RUNS }, () => solveStiefel(E, objective, { solver, beta, tol: 0 }));
    const advance = (count: number): number => {
      let done = 0;
      for (const run of runs) for (let i = 0; i < count && !run.next().done; i++) done++;
      return done;
    };
    // every matrix is made, then touched after the last growth of the memory
    advance(1);
    advance(15);
    collect();
    const [first, before] = [E.counters.matrices, heap()];
    iterations = advance(STEPS);
    const after = heap();
    collect();
    if (window < EARLY) continue;
    made.push((after - before) / iterations);
    kept.push((heap() - before) / iterations);
    matrices += E.counters.matrices - first;
  }
  const middle = (list: number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;
  return {
    made: middle(made),
    kept: middle(kept),
    least: Math.min(...made),
    most: Math.max(...made),
    matrices,
    iterations,
  };
}

/** Each in a process of its own: what else a process has run decides what V8 compiles. */
export function heapOf({ engine, problem, solver, beta }: HeapRow, script = fileURLToPath(import.meta.url)): Heap {
  const out = execFileSync(process.execPath, [...FLAGS, script, engine, problem, solver, beta], { encoding: "utf8" });
  return JSON.parse(out) as Heap;
}

export const heapRows = (engines: EngineName[]): HeapRow[] =>
  engines.flatMap((engine) =>
    (["noeig", "brockett"] as const).flatMap((problem): HeapRow[] => [
      { engine, problem, solver: "expen-cg", beta: "paper" },
      { engine, problem, solver: "expen", beta: "auto" },
    ]),
  );

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const words = process.argv.slice(2);
  const row = heapRows([...engineNames]).find((row) => Object.values(row).join(" ") === words.join(" "));
  if (row) console.log(JSON.stringify(await measure(row)));
  else if (words.length > 0) {
    console.error(`bench:heap: '${words.join(" ")}' is no row of its table; give nothing, for all of them.`);
    process.exitCode = 2;
  } else {
    console.log(
      `bytes of heap an iteration at ${N}×${P}, middle of ${WINDOWS} windows, each the steps 17 to 41 of ${RUNS} runs`,
    );
    const engines = (await availableEngines()).filter(({ engine }) => engine).map(({ name }) => name);
    const body = heapRows(engines).map((row) => {
      const { made, least, most, matrices } = heapOf(row);
      return [...Object.values(row), ...[made, least, most].map((x) => x.toFixed(0)), `${matrices}`];
    });
    const head = ["engine", "problem", "solver", "beta", "bytes", "least", "most", "matrices"];
    console.log(textTable({ head, body }));
  }
}
