/** The suite sets: constraints beside the manifold, evaluations of f with ∇f to the answer of each contender. */

import { jsEngine } from "@expen/linalg/engine";
import { type Matrix, minimize, nonnegative, randomStart, stiefel, type Tall, type UserObjective } from "expen";
import { startResults } from "../store.js";
import type { Session } from "../suite.js";
import { textTable } from "../tables.js";
import { assignmentRuns, readAssignments } from "./assignments.js";
import { clusterRuns, collections } from "./clusters.js";
import { type General, generals, type Posed } from "./general.js";
import { liuBoumal, type Numbers } from "./liu-boumal.js";
import { ownProblems, ownRuns } from "./own.js";
import { factorization, indicators, isSamePartition, type Planted, projection } from "./problems.js";
import { kind, type SetsResults, type SetsRun } from "./results.js";
import { openScipy, type Scipy } from "./scipy.js";
import { clusterTable, ownTable, permutationTable, setsTable } from "./tables.js";

export const plantedProblems: readonly { name: string; make(seed: number): Planted }[] = [
  { name: "projection 60×5, ξ = 0.9", make: (seed) => projection(60, 5, seed, 0.9) },
  { name: "projection 100×10, ξ = 0.95", make: (seed) => projection(100, 10, seed, 0.95) },
  { name: "orthogonal factorization 60×5", make: (seed) => factorization(60, 5, 40, seed) },
  { name: "orthogonal factorization 100×10", make: (seed) => factorization(100, 10, 40, seed) },
  { name: "K-indicators 60×5, noise 0.3", make: (seed) => indicators(60, 5, seed, 0.3) },
  { name: "K-indicators 100×10, noise 0.25", make: (seed) => indicators(100, 10, seed, 0.25) },
];

/** Problems whose labels under noise are not those of the lowest f */
const isNoisy = (name: string): boolean => name.startsWith("K-indicators");
/** Seeds of contenders that take many times longer than ours: Liu and Boumal's on planted problems, trust-constr */
const SLOW_SEEDS = 5;
/** Starts of the search for the lowest f of a noisy problem, the planted labels among them */
const STARTS = 3;

export interface SetsOptions extends Session<SetsResults> {
  seeds?: number;
  problems?: readonly string[];
}

export async function benchSets({ seeds = 20, problems, before, save, log }: SetsOptions): Promise<SetsResults> {
  const scipy = await openScipy();
  const results = startResults<SetsResults>(
    kind,
    {
      ...{ threads: 1, clock: "cpu", limit: 0, seeds, runs: [] },
      contenders: {
        expen: "`minimize` with `subjectTo`, defaults",
        "liu-boumal": "the augmented Lagrangian with the defaults of Liu and Boumal, inner solver our `rlbfgs`",
        ...(scipy && {
          slsqp: `SciPy ${scipy.version}, the manifold as equations`,
          "trust-constr": `SciPy ${scipy.version}, likewise`,
          cdopt: `CDOpt ${scipy.cdopt ?? "is missing"}`,
          kmeans: "scikit-learn's KMeans",
          nmf: "scikit-learn's NMF",
          faq: `SciPy ${scipy.version}, quadratic_assignment`,
        }),
      },
      skipped: scipy ? {} : { slsqp: "no SciPy", "trust-constr": "no SciPy" },
    },
    before,
  );
  const isChosen = (name: string): boolean => !problems || problems.some((part) => name.includes(part));
  const has = (problem: string, seed: number): boolean =>
    results.runs.some((run) => run.problem === problem && run.seed === seed);
  const measure = async (name: string, runsOf: (seed: number) => Promise<SetsRun[]>, most = seeds): Promise<void> => {
    if (!isChosen(name)) return;
    for (let seed = 1; seed <= Math.min(seeds, most); seed++) {
      if (has(name, seed)) continue;
      results.runs.push(...(await runsOf(seed)));
      save?.(results);
    }
    log?.(name);
  };
  for (const { name, make } of plantedProblems) await measure(name, (seed) => plantedRuns(name, make(seed), seed));
  for (const { name, make, isInfeasible = false } of generals)
    await measure(name, (seed) => generalRuns(name, make(seed), seed, isInfeasible, scipy));
  for (const { name, make } of ownProblems) await measure(name, (seed) => ownRuns(name, make(seed), seed, scipy));
  for (const instance of readAssignments())
    await measure(instance.name, (seed) => assignmentRuns(instance, seed, scipy));
  for (const one of collections) await measure(one.name, (seed) => clusterRuns(one, seed, scipy), one.seeds);
  scipy?.end();
  for (const table of [setsTable, ownTable, permutationTable, clusterTable]) log?.(textTable(table(results)));
  return results;
}

async function plantedRuns(problem: string, planted: Planted, seed: number): Promise<SetsRun[]> {
  const { n, p, f, labels } = planted;
  const on = stiefel(n, p);
  const subjectTo = [nonnegative()];
  const result = await minimize(f, { on, subjectTo, seed });
  const isPlanted = isNoisy(problem) ? null : isSamePartition(result.support!, labels);
  const base = { group: "sets", problem, seed, isPlanted } as const;
  const runs: SetsRun[] = [
    {
      ...base,
      contender: "expen",
      status: result.status,
      f: result.fval,
      evaluations: result.evaluations.f,
      violation: exactness(result.X),
      level: result.certificate.level,
    },
  ];
  if (!isNoisy(problem)) {
    if (seed > SLOW_SEEDS) return runs;
    const peer = await liuBoumal(f, on, nonnegativeEntries(n * p), randomStart(jsEngine(), n, p, seed) as Matrix);
    const support = Int32Array.from({ length: n }, (_, i) => largestOf(peer.X.data.subarray(i * p, i * p + p)));
    const isSame = isSamePartition(support, labels);
    const { evaluations, violation } = peer;
    runs.push({
      ...base,
      isPlanted: isSame,
      contender: "liu-boumal",
      status: "",
      f: 0,
      evaluations,
      violation,
      level: null,
    });
    return runs;
  }
  // the lowest f that is known is a contender without a row of its own
  const start: Matrix = { rows: n, cols: p, data: new Float64Array(n * p) };
  for (const [i, j] of labels.entries()) start.data[i * p + j] = 1;
  for (let k = 0; k < STARTS; k++) {
    const { fval } = await minimize(f, { on, subjectTo, seed: 1000 * seed + k, ...(k === 0 && { start }) });
    runs.push({ ...base, contender: "", status: "", f: fval, evaluations: 0, violation: 0, level: null });
  }
  return runs;
}

async function generalRuns(
  problem: string,
  { posed, on, f, subjectTo, start }: General,
  seed: number,
  isInfeasible: boolean,
  scipy: Scipy | undefined,
): Promise<SetsRun[]> {
  const base = { group: "sets", problem, seed, isInfeasible } as const;
  const result = await minimize(f, { on, subjectTo, start });
  const { status, fval, violation = 0 } = result;
  const ours = { contender: "expen", status, f: fval, evaluations: result.evaluations.f, violation };
  const runs: SetsRun[] = [{ ...base, ...ours, level: result.certificate.level }];
  const peer = await liuBoumal(f, on, numbersOf(posed), start);
  const theirs = { contender: "liu-boumal", status: "", f: valueAt(f, peer.X), level: null };
  runs.push({ ...base, ...theirs, evaluations: peer.evaluations, violation: peer.violation });
  const methods = ["slsqp", ...(seed <= SLOW_SEEDS ? ["trust-constr"] : [])] as const;
  for (const method of scipy ? methods : []) {
    const answer = await scipy!.solve({ ...posed, method: method as "slsqp" | "trust-constr" });
    const { f, evaluations, violation } = answer;
    const numbers = { f: f ?? Number.POSITIVE_INFINITY, evaluations, violation: violation ?? Number.POSITIVE_INFINITY };
    runs.push({ ...base, contender: method, status: answer.status, ...numbers, level: null });
  }
  return runs;
}

const nonnegativeEntries = (count: number): Numbers => ({
  inequalities: count,
  equations: 0,
  values: (g, _h, X) => g.set(X.data.map((x) => -x)),
  adjoint(G, _X, a) {
    for (const [k, weight] of a.entries()) G.data[k]! -= weight;
  },
});

/** All constraints of a problem, one after the other */
function numbersOf({ n, p, lower, upper, rows, sums }: Posed): Numbers {
  const size = n * p;
  const [below, above] = [lower === null ? 0 : size, upper === null ? 0 : size];
  return {
    inequalities: below + above + (rows === null ? 0 : n),
    equations: sums ? n : 0,
    values(g, h, X) {
      g.fill(0);
      h.fill(0);
      for (let k = 0; k < size; k++) {
        const [x, i] = [X.data[k]!, Math.floor(k / p)];
        if (lower !== null) g[k] = lower - x;
        if (upper !== null) g[below + k] = x - upper;
        if (rows !== null) g[below + above + i]! += x * x - rows / p;
        if (sums) h[i]! += x;
      }
    },
    adjoint(G, X, a, b) {
      for (let k = 0; k < size; k++) {
        const i = Math.floor(k / p);
        let g = 0;
        if (lower !== null) g -= a[k]!;
        if (upper !== null) g += a[below + k]!;
        if (rows !== null) g += 2 * a[below + above + i]! * X.data[k]!;
        if (sums) g += b[i]!;
        G.data[k]! += g;
      }
    },
  };
}

const valueAt = (f: UserObjective, X: Matrix): number =>
  f.fg!({ ...X, data: new Float64Array(X.data.length) } as Tall, X as Tall);

const largestOf = (row: ArrayLike<number>): number =>
  Array.from(row).reduce((best, x, j) => (x > row[best]! ? j : best), 0);

/** max of −min X and ‖XᵀX − I‖_F */
function exactness({ rows: n, cols: p, data }: Matrix): number {
  let [squares, least] = [0, 0];
  for (let a = 0; a < p; a++) {
    for (let b = 0; b < p; b++) {
      let s = a === b ? -1 : 0;
      for (let i = 0; i < n; i++) s += data[i * p + a]! * data[i * p + b]!;
      squares += s * s;
    }
  }
  for (const x of data) least = Math.min(least, x);
  return Math.max(-least, Math.sqrt(squares));
}
