/** Results of the suite sets. */
import type { Head, Kind } from "../store.js";

export const kind: Kind = { name: "sets", format: 2 };

export interface SetsRun {
  group: "sets" | "own" | "permutations" | "clusters";
  problem: string;
  seed: number;
  contender: string;
  /** in its own words */
  status: string;
  f: number;
  /** null where a contender counts none */
  evaluations: number | null;
  violation: number;
  /** level of the certificate; null of others */
  level: string | null;
  /** the planted labels, where there are some */
  isPlanted?: boolean | null;
  /** the set has no feasible point */
  isInfeasible?: boolean;
  /** the least f that is known, where a library says it */
  optimum?: number | null;
  /** equations hold and the gradient along them is small */
  isSolved?: boolean;
  /** Jacobians of equations of one's own */
  jacobians?: number;
  /** the adjusted Rand index of clusters and classes */
  rand?: number;
}

export interface SetsResults extends Head {
  seeds: number;
  runs: SetsRun[];
}

/** Violation up to which a run counts as feasible, and the part of 1 + |f| up to which two values of f are one minimum */
const [FEASIBLE, SAME] = [1.01e-6, 1e-6];

export interface Summary {
  readonly problem: string;
  readonly contender: string;
  readonly runs: number;
  /** runs that ended feasible at the lowest f that any has found, at the planted labels, or that called an infeasible set so */
  readonly best: number;
  readonly feasible: number;
  readonly median: number;
  readonly largest: number;
  readonly violation: number;
  /** 100·(f/optimum − 1), the median and the largest */
  readonly excess: readonly [number, number];
  /** Jacobians for each evaluation at most; NaN where none are counted */
  readonly jacobians: number;
  /** the adjusted Rand index: the least, the median and the largest */
  readonly rand: readonly [number, number, number];
  /** runs with the level global */
  readonly proved: number;
}

export function summaries({ runs: all }: SetsResults, group: SetsRun["group"]): Summary[] {
  const runs = all.filter((run) => run.group === group);
  const keys = [...new Set(runs.map(({ problem, contender }) => JSON.stringify([problem, contender])))];
  return keys.map((key) => {
    const [problem, contender] = JSON.parse(key) as [string, string];
    const own = runs.filter((run) => run.problem === problem && run.contender === contender);
    const rising = (list: number[]): number[] => list.sort((a, b) => a - b);
    const counts = rising(own.flatMap(({ evaluations }) => evaluations ?? []));
    const rand = rising(own.flatMap((run) => run.rand ?? []));
    const excess = rising(own.map(({ f, optimum }) => (optimum ? 100 * (f / optimum - 1) : Number.NaN)));
    return {
      problem,
      contender,
      runs: own.length,
      best: own.filter((run) => isBest(run, runs)).length,
      feasible: own.filter(({ violation }) => violation <= FEASIBLE).length,
      median: counts[counts.length >> 1] ?? Number.NaN,
      largest: counts.at(-1) ?? Number.NaN,
      violation: Math.max(...own.map(({ violation }) => violation)),
      excess: [excess[excess.length >> 1]!, excess.at(-1)!],
      rand: [rand[0]!, rand[rand.length >> 1]!, rand.at(-1)!],
      jacobians: Math.max(...own.map(({ jacobians, evaluations }) => (jacobians ?? Number.NaN) / evaluations!)),
      proved: own.filter(({ level }) => level === "global").length,
    };
  });
}

/** The lowest f of feasible runs of the instance */
function isBest(run: SetsRun, runs: readonly SetsRun[]): boolean {
  if (run.isInfeasible) return run.status === "infeasible";
  if (run.isSolved !== undefined) return run.isSolved;
  if (run.optimum) return run.f <= run.optimum * (1 + SAME);
  if (typeof run.isPlanted === "boolean") return run.isPlanted;
  const rivals = runs.filter((r) => r.problem === run.problem && r.seed === run.seed && r.violation <= FEASIBLE);
  const lowest = Math.min(...rivals.map(({ f }) => f));
  return run.violation <= FEASIBLE && run.f <= lowest + SAME * (1 + Math.abs(lowest));
}
