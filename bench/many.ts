/**
 * `npm run bench:many`: many small problems in one call, on one thread and on all cores, beside a loop over `minimize` and, for Kabsch's
 * rotations, NumPy's SVD of all matrices at once.
 */
import "@expen/engines/relaxed-simd";
import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import { minimize, minimizeMany } from "@expen/solvers";
import { minimizeOnWorkers } from "@expen/solvers/workers";
import { list, number, scriptOptions } from "./arguments.js";
import { clockNamed, clocks } from "./contender.js";
import { type Task, tasks } from "./many/tasks.js";
import { findPython } from "./peers.js";

/** Rounds, of which the best counts; ways take turns, so that all see the same machine. */
const ROUNDS = 3;
/** Problems of the loop, whose time is in proportion */
const OF_LOOP = 200;

/** Kabsch's rotations by NumPy: products and SVDs of stacks of 3×3 matrices, best of 5 */
const NUMPY = `
import time, sys
import numpy as np
r = np.random.default_rng(1)
P, Q = r.standard_normal((2, ${tasks[0]!.count}, 3, 20))
best = np.inf
for _ in range(5):
    start = time.perf_counter()
    U, s, V = np.linalg.svd(Q @ P.transpose(0, 2, 1))
    d = np.sign(np.linalg.det(U @ V))
    U[:, :, 2] *= d[:, None]
    R = U @ V
    best = min(best, time.perf_counter() - start)
print(best)
`;

type Way = (count: number) => Promise<{ seconds: number; converged: number }>;

function waysOf(task: Task, workers: number | undefined, now: () => number): Record<string, Way> {
  const { f, on, of } = task;
  const data = Array.from({ length: task.count }, (_, k) => task.item(k));
  const open = () => new Worker(new URL("./many/worker.js", import.meta.url), { workerData: task.name });
  return {
    async "a loop over minimize"() {
      const begin = now();
      let converged = 0;
      for (const item of data.slice(0, OF_LOOP)) {
        const { reason } = await minimize(of(item), { on });
        if (reason.converged) converged += task.count / OF_LOOP;
      }
      return { seconds: (now() - begin) * (task.count / OF_LOOP), converged };
    },
    minimizeMany: timed(() => minimizeMany(f, { on, data })),
    [`minimizeOnWorkers${workers ? `, ${workers}` : ""}`]: timed(() =>
      minimizeOnWorkers(open, { data, ...(workers && { workers }) }),
    ),
  };

  function timed(run: () => Promise<{ converged: number }>): Way {
    return async () => {
      const begin = now();
      const { converged } = await run();
      return { seconds: now() - begin, converged };
    };
  }
}

// node bench/dist/many.js [--tasks kabsch,varimax] [--workers 2] [--clock cpu]
const {
  tasks: names,
  workers,
  clock,
} = scriptOptions({ tasks: list, workers: number("workers", 1), clock: clockNamed });
for (const task of tasks.filter(({ name }) => !names || names.includes(name))) {
  const ways = Object.entries(waysOf(task, workers, clocks[clock]));
  const best = ways.map(() => Number.POSITIVE_INFINITY);
  const counts = ways.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, [, run]] of ways.entries()) {
      const { seconds, converged } = await run(task.count);
      best[i] = Math.min(best[i]!, seconds);
      counts[i] = converged;
    }
  }
  console.log(`${task.name}: ${task.count} problems on ${task.on.text}`);
  for (const [i, [name]] of ways.entries()) {
    const each = `${((1e6 * best[i]!) / task.count).toFixed(1)} µs each`;
    console.log(
      `  ${name.padEnd(24)} ${each.padStart(16)}, ${(best[0]! / best[i]!).toFixed(1)} of the loop, ${counts[i]} converged`,
    );
  }
  const python = task.name === "kabsch" && findPython();
  if (!python) continue;
  const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
  const { stdout } = spawnSync(python, ["-c", NUMPY], { env, encoding: "utf8" });
  const seconds = Number.parseFloat(stdout);
  if (seconds > 0)
    console.log(
      `  ${"NumPy, one batch of SVDs".padEnd(24)} ${((1e6 * seconds) / task.count).toFixed(1).padStart(8)} µs each`,
    );
}
