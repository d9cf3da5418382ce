import { work } from "../any-f/results.js";
import type { Table } from "../tables.js";
import type { ConstrainedResults, ConstrainedRun } from "./results.js";

const converged = ({ status }: ConstrainedRun): boolean => status === "converged";
const count = ({ evaluations }: ConstrainedRun): number | undefined =>
  evaluations && work(evaluations) ? work(evaluations) : undefined;
/** LAPACK has no evaluations, but for the one that is looked at */
const direct = ({ contender }: ConstrainedRun): boolean => contender.startsWith("numpy-eigh");

const ownOf = (runs: readonly ConstrainedRun[], run: ConstrainedRun): ConstrainedRun | undefined =>
  runs.find(({ problem, seed, contender }) => problem === run.problem && seed === run.seed && contender.includes("@"));

/** Seconds and evaluations of each run, and how many times those of ours they are. `> …`: it was stopped by then. */
export function constraintTable({ runs, limit }: Pick<ConstrainedResults, "runs" | "limit">): Table {
  const head = ["problem", "contender", "seconds", "evaluations", "seconds ÷ ours", "evaluations ÷ ours", ""];
  const body = runs.map((run) => {
    const own = ownOf(runs, run);
    const late = run.status === "time";
    const ratio = (a?: number | null, b?: number | null): string =>
      own && converged(own) && (converged(run) || late) && a && b
        ? `${late ? "> " : ""}${(a / b).toPrecision(3)}`
        : "–";
    return [
      `${run.problem}:${run.seed}`,
      run.contender,
      converged(run) ? run.seconds!.toFixed(3) : late ? `> ${limit}` : "–",
      direct(run) ? "–" : String(count(run) ?? "–"),
      ratio(late ? limit : run.seconds, own?.seconds),
      direct(run) ? "–" : ratio(count(run), own && count(own)),
      converged(run) || late ? "" : run.text,
    ];
  });
  return { head, body };
}

/** Geometric means over the products and the complex, unit and other manifolds, that is over all but the eigenproblems with B */
export function meansTable({ runs }: Pick<ConstrainedResults, "runs">): Table {
  const others = runs.filter(({ problem }) => !problem.startsWith("generalized-eigenvalues"));
  const peers = [...new Set(others.map(({ contender }) => contender))].filter((name) => !name.includes("@"));
  const mean = (list: readonly number[]): string =>
    list.length > 0 ? Math.exp(list.reduce((sum, v) => sum + Math.log(v), 0) / list.length).toPrecision(3) : "–";
  const body = peers.map((peer) => {
    const all = others.filter(({ contender }) => contender === peer);
    const pairs = all.flatMap((run) => {
      const own = ownOf(runs, run);
      return own && converged(own) && converged(run) ? [{ run, own }] : [];
    });
    return [
      peer,
      `${pairs.length} of ${all.length}`,
      mean(pairs.map(({ run, own }) => (count(run) ?? Number.NaN) / (count(own) ?? Number.NaN))),
      mean(pairs.map(({ run, own }) => run.seconds! / own.seconds!)),
    ];
  });
  return { head: ["contender", "reached", "evaluations ÷ ours", "seconds ÷ ours"], body };
}
