/** One run of `npm run bench:mpi` on the ranks that mpirun gives it, or alone: noeig, so many evaluations. Rank 0 prints JSON. */
import "../cli/relaxed-simd.js";
import { startedAs } from "../src/engines/mpi/started.js";
import { type HostEngineName, openEngine } from "../src/engines/open.js";
import { noeig } from "../src/problems/noeig.js";
import type { SolverName } from "../src/solvers/catalog.js";
import { solveStiefel } from "../src/stiefel.js";

export interface MpiRun {
  ranks: number;
  n: number;
  p: number;
  solver: string;
  evaluations: number;
  /** median and best over iterations of the time of one over its evaluations, after the first few */
  seconds: number;
  best: number;
  /** an evaluation, after the first few */
  reductions: number;
  exchanges: number;
  bytes: number;
  f: number;
  /** what the machine gives without messages, where asked for */
  machine?: Machine;
}

/** Best seconds of work on the rows of a rank, all ranks at once: Z ← X + Y, which waits for memory, and XᵀX, which computes */
export interface Machine {
  memory: number;
  products: number;
}

/** Iterations in which memory is still filled and foresight learns */
const WARM = 10;

const PROBES = 7;

const [n, p, iterations, inner, solver = "expen", probe] = process.argv.slice(2);
const ranked = startedAs() !== undefined;
const E = await openEngine(ranked ? "mpi" : (inner as HostEngineName), {
  threads: 1,
  ...(ranked && { inner: inner as HostEngineName }),
});
const { objective } = noeig(E, { n: Number(n), p: Number(p) });
const traffic = () => ({ reductions: 0, exchanges: 0, bytes: 0, ...E.ranks?.traffic });
const times: number[] = [];
let [before, seen, f] = [performance.now(), 0, Number.NaN];
let start: (ReturnType<typeof traffic> & { evaluations: number }) | undefined;
let end = start;
const steps = solveStiefel(E, objective, {
  solver: solver as SolverName,
  tol: 0,
  maxIterations: Number(iterations),
  certificate: "stationary",
});
for (let next = steps.next(); !next.done; next = steps.next()) {
  const { k, evaluations } = next.value;
  const count = evaluations.f + evaluations.hvp;
  const now = performance.now();
  if (k > WARM && count > seen) times.push((now - before) / 1000 / (count - seen));
  [before, seen, f] = [now, count, next.value.f];
  if (k === WARM) start = { ...traffic(), evaluations: count };
  end = { ...traffic(), evaluations: count };
}
times.sort((a, b) => a - b);

/** Each begins when all ranks have come to a sum. */
function best(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < PROBES; i++) {
    E.ranks?.sum(new Float64Array(1));
    const before = performance.now();
    work();
    least = Math.min(least, (performance.now() - before) / 1000);
  }
  return least;
}

function machine(): Machine {
  const [X, Y, Z] = [E.tall(Number(n), Number(p)), E.tall(Number(n), Number(p)), E.tall(Number(n), Number(p))];
  const S = E.small(Number(p), Number(p));
  for (const M of [X, Y]) E.fill(M, 0.5);
  const memory = best(() => E.combine(Z, 1, X, 1, Y));
  const products = best(() => {
    E.gram(S, X);
    E.read(S);
  });
  return { memory, products };
}

const per = (key: "reductions" | "exchanges" | "bytes"): number =>
  (end![key] - start![key]) / (end!.evaluations - start!.evaluations);
const run: MpiRun = {
  ranks: E.ranks?.size ?? 1,
  n: Number(n),
  p: Number(p),
  solver,
  evaluations: seen,
  seconds: times[Math.floor(times.length / 2)]!,
  best: times[0]!,
  reductions: per("reductions"),
  exchanges: per("exchanges"),
  bytes: per("bytes"),
  f,
  ...(probe && { machine: machine() }),
};
if ((E.ranks?.rank ?? 0) === 0) process.stdout.write(`${JSON.stringify(run)}\n`);
E.ranks?.leave();
E.dispose();
