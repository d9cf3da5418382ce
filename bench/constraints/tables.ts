/** Tables of the suite: every run, and the means over the peers. */
import { work } from "../contender.js";
import { geometricMean, orDash, type Table } from "../tables.js";
import type { ConstrainedResults, ConstrainedRun } from "./results.js";

const isConverged = ({ status }: ConstrainedRun): boolean => status === "converged";
const count = ({ evaluations }: ConstrainedRun): number | undefined =>
  evaluations && work(evaluations) ? work(evaluations) : undefined;
/** LAPACK evaluates f only once, to compare the answer with the target. */
const isDirect = ({ contender }: ConstrainedRun): boolean => contender.startsWith("numpy-eigh");

const ownOf = (runs: readonly ConstrainedRun[], run: ConstrainedRun): ConstrainedRun | undefined =>
  runs.find(({ problem, seed, contender }) => problem === run.problem && seed === run.seed && contender.includes("@"));

/** Seconds and evaluations of each run, absolute and relative to ours. `> …` marks a run that was stopped. */
export function constraintTable({ runs, limit }: Pick<ConstrainedResults, "runs" | "limit">): Table {
  const head = ["problem", "contender", "seconds", "evaluations", "seconds ÷ ours", "evaluations ÷ ours", ""];
  const body = runs.map((run) => {
    const own = ownOf(runs, run);
    const late = run.status === "time";
    const ratio = (a?: number | null, b?: number | null): string =>
      own && isConverged(own) && (isConverged(run) || late) && a && b
        ? `${late ? "> " : ""}${(a / b).toPrecision(3)}`
        : "–";
    return [
      `${run.problem}:${run.seed}`,
      run.contender,
      isConverged(run) ? run.seconds!.toFixed(3) : late ? `> ${limit}` : "–",
      isDirect(run) ? "–" : String(count(run) ?? "–"),
      ratio(late ? limit : run.seconds, own?.seconds),
      isDirect(run) ? "–" : ratio(count(run), own && count(own)),
      isConverged(run) || late ? "" : run.text,
    ];
  });
  return { head, body };
}

/** Geometric means over the products and the complex, unit and other manifolds, that is over all but the eigenproblems with B */
export function meansTable({ runs }: Pick<ConstrainedResults, "runs">): Table {
  const others = runs.filter(({ problem }) => !problem.startsWith("generalized-eigenvalues"));
  const peers = [...new Set(others.map(({ contender }) => contender))].filter((name) => !name.includes("@"));
  const mean = (list: readonly number[]): string => orDash(geometricMean(list), (v) => v.toPrecision(3));
  const body = peers.map((peer) => {
    const all = others.filter(({ contender }) => contender === peer);
    const pairs = all.flatMap((run) => {
      const own = ownOf(runs, run);
      return own && isConverged(own) && isConverged(run) ? [{ run, own }] : [];
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
