/**
 * One run of `npm run bench:mpi` on the ranks that mpirun gives it, or alone: noeig, so many steps. Rank 0 prints JSON, and so does every
 * process where they do not work together (`apart`).
 */
import "@expen/engines/relaxed-simd";
import { type HostEngineName, openEngine } from "@expen/engines";
import { startedAs } from "@expen/engines/mpi";
import { noeig } from "@expen/experiments/paper";
import type { SolverName } from "@expen/solvers";
import { solveStiefel } from "@expen/solvers";

export interface MpiRun {
  ranks: number;
  n: number;
  p: number;
  solver: string;
  evaluations: number;
  steps: MpiStep[];
  /** seconds of an evaluation after the first ones */
  reductions: number;
  exchanges: number;
  bytes: number;
  f: number;
}

export interface MpiStep {
  k: number;
  evaluations: number;
  seconds: number;
}

/** Iterations until the memory of pairs is full and the times are steady */
const WARM = 10;

const [n, p, iterations, inner, solver = "auto", apart] = process.argv.slice(2);
const ranked = startedAs() !== undefined && !apart;
const E = await openEngine(ranked ? "mpi" : (inner as HostEngineName), {
  threads: 1,
  ...(ranked && { inner: inner as HostEngineName }),
});
const { objective } = noeig(E, { n: Number(n), p: Number(p) });
const traffic = () => ({ reductions: 0, exchanges: 0, bytes: 0, ...E.ranks?.traffic });
const taken: MpiStep[] = [];
let [before, seen, f] = [performance.now(), 0, Number.NaN];
let start: (ReturnType<typeof traffic> & { evaluations: number }) | undefined;
let end = start;
const steps = await solveStiefel(E, objective, {
  solver: solver as SolverName,
  tol: 0,
  maxIterations: Number(iterations),
  certificate: "stationary",
});
for (let next = steps.next(); !next.done; next = steps.next()) {
  const { k, evaluations } = next.value;
  const count = evaluations.f + evaluations.hvp;
  const now = performance.now();
  taken.push({ k, evaluations: count - seen, seconds: (now - before) / 1000 });
  [before, seen, f] = [now, count, next.value.f];
  if (k === WARM) start = { ...traffic(), evaluations: count };
  end = { ...traffic(), evaluations: count };
}

const per = (key: "reductions" | "exchanges" | "bytes"): number =>
  (end![key] - start![key]) / (end!.evaluations - start!.evaluations);
const run: MpiRun = {
  ranks: E.ranks?.size ?? 1,
  n: Number(n),
  p: Number(p),
  solver,
  evaluations: seen,
  steps: taken,
  reductions: per("reductions"),
  exchanges: per("exchanges"),
  bytes: per("bytes"),
  f,
};
if ((E.ranks?.rank ?? 0) === 0) process.stdout.write(`${JSON.stringify(run)}\n`);
E.ranks?.leave();
E.dispose();
