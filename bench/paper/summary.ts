/** Ratios, geometric means and the verdict on each target, from results alone. */
import { MATRICES } from "../memory.js";
import { type Row, rowId, TABLES } from "../rows.js";
import { geometricMean } from "../tables.js";
import { best, type Results, type RowResult, type Run } from "./results.js";

/** Stationarity of an answer over the tolerance up to which it solves the row. */
const SLACK = 1.05;
/** Relative excess over the best f of the row from which an answer is a worse stationary point. */
const WORSE = 1e-3;
/** Bound of the time of a run over that of its BLAS and LAPACK calls alone */
const NEAR = 1.7;

export const runOf = (row: RowResult, contender: string, mode: Run["mode"] = "gradient"): Run | undefined =>
  row.runs.find((run) => run.contender === contender && run.mode === mode);

/** The flaw of an answer in a word; undefined where it is right. */
export function flaw(row: RowResult, run: Run, tol: number): string | undefined {
  if (run.seconds.length === 0 || run.f === null) return run.status === "converged" ? "failed" : run.status;
  if (run.status !== "converged") return run.status;
  if (run.mode === "gap") return undefined;
  if (!(run.stationarity! <= SLACK * tol)) return "not stationary";
  const lowest = Math.min(
    ...row.runs.flatMap((other) => (other.mode === "gradient" && other.f !== null ? other.f : [])),
  );
  if (run.f - lowest > WORSE * Math.abs(lowest)) return "worse f";
  return undefined;
}

/** Best seconds of a run that solved its row, otherwise undefined. */
export function solved(row: RowResult, run: Run | undefined, tol: number): number | undefined {
  return run && !flaw(row, run, tol) ? best(run)! : undefined;
}

export interface Comparison {
  /** rows in which both solved the problem, as often as they stand in the tables */
  rows: { id: string; ratio: number }[];
  mean: number;
  worst: { id: string; ratio: number };
  /** rows in which ours did not solve the problem */
  failed: string[];
  /** rows in which the peer did not */
  unsolved: string[];
  /** rows of the tables that were not run, or not by both */
  absent: number;
}

/** time(other)/time(ours) over the given tables; `other` may be chosen row by row. */
export function compare(
  results: Results,
  ours: string,
  other: string | ((row: RowResult) => Run | undefined),
  filter: (row: Row) => boolean = () => true,
): Comparison | undefined {
  const [rows, failed, unsolved]: [Comparison["rows"], string[], string[]] = [[], [], []];
  let absent = 0;
  for (const wanted of Object.values(TABLES).flat()) {
    if (!filter(wanted)) continue;
    const id = rowId(wanted);
    const row = results.rows.find((row) => row.id === id);
    const own = row && runOf(row, ours);
    if (!own || (typeof other === "string" && !runOf(row, other))) {
      absent++;
      continue;
    }
    const theirs = typeof other === "string" ? runOf(row, other) : other(row);
    const [a, b] = [solved(row, own, results.tol), solved(row, theirs, results.tol)];
    if (a && b) rows.push({ id, ratio: b / a });
    else (a ? unsolved : failed).push(id);
  }
  if (rows.length === 0) return undefined;
  const worst = rows.reduce((a, b) => (a.ratio <= b.ratio ? a : b));
  return { rows, mean: geometricMean(rows.map(({ ratio }) => ratio)), worst, failed, unsolved, absent };
}

/** The same over the rows of every start. */
function compareStarts(results: Results, ours: string, other: string): (Comparison & { means: number[] }) | undefined {
  const seeds = [results.seed, ...new Set(results.others.map(({ seed }) => seed))];
  const all = seeds.flatMap((seed) => {
    const rows = seed === results.seed ? results.rows : results.others.filter((row) => row.seed === seed);
    return compare({ ...results, rows }, ours, other) ?? [];
  });
  if (all.length === 0) return undefined;
  const rows = all.flatMap((c) => c.rows);
  return {
    rows,
    mean: geometricMean(rows.map(({ ratio }) => ratio)),
    worst: all.map(({ worst }) => worst).reduce((a, b) => (a.ratio <= b.ratio ? a : b)),
    failed: all.flatMap((c) => c.failed),
    unsolved: all.flatMap((c) => c.unsolved),
    absent: all.reduce((sum, c) => sum + c.absent, 0),
    means: all.map(({ mean }) => mean),
  };
}

export const isPeer = (name: string): boolean => !name.includes("@") && name !== "nlopt-js";

/** The fastest Python peer that solved the row. */
export function fastestPeer(results: Results, mode: Run["mode"] = "gradient"): (row: RowResult) => Run | undefined {
  return (row) =>
    row.runs
      .filter((run) => run.mode === mode && isPeer(run.contender) && solved(row, run, results.tol))
      .sort((a, b) => best(a)! - best(b)!)[0];
}

export interface Verdict {
  target: string;
  what: string;
  /** the number measured, with its unit in words; null where it was not measured */
  value: number | null;
  bound: string;
  /** null: not measured, or not on all rows */
  met: boolean | null;
  note: string;
}

const verdict = (
  target: string,
  what: string,
  value: number | null | undefined,
  relation: "≥" | "≤",
  bound: number,
  note = "",
): Verdict => ({
  target,
  what,
  value: value ?? null,
  bound: `${relation} ${bound < 1e-3 ? bound.toExponential() : bound}`,
  met: value === null || value === undefined ? null : relation === "≥" ? value >= bound : value <= bound,
  note,
});

/** The number of rows in a comparison, and the rows left out. */
function completeness({ rows, failed, unsolved, absent }: Comparison): string {
  const total = rows.length + failed.length + unsolved.length + absent;
  const parts = [`${rows.length} of ${total} rows`];
  if (failed.length > 0) parts.push(`ours failed: ${failed.join(", ")}`);
  if (unsolved.length > 0) parts.push(`peer failed: ${unsolved.join(", ")}`);
  if (absent > 0) parts.push(`${absent} not run`);
  return parts.join("; ");
}

/** The five targets. Ratios are of times, geometric means over the rows of the paper's tables. */
export function verdicts(results: Results): Verdict[] {
  const noeig = (row: Row): boolean => row.problem === "noeig";
  const large = (row: Row): boolean => row.problem === "brockett" && row.n >= 1000;
  const peer = fastestPeer(results);
  const list: Verdict[] = [];
  /** A row that ours did not solve misses the target, whatever the mean of the others; one that was not run leaves it open. */
  const judged = (
    target: string,
    what: string,
    c: Comparison | undefined,
    value: number | undefined,
    bound: number,
    more = "",
  ): void => {
    const v = verdict(target, what, value, "≥", bound, c && completeness(c) + more);
    list.push(c?.failed.length ? { ...v, met: false } : c?.absent && v.met ? { ...v, met: null } : v);
  };
  const mean = (target: string, what: string, c: Comparison | undefined, bound: number): void =>
    judged(target, what, c, c?.mean, bound);
  const worst = (target: string, what: string, c: Comparison | undefined, bound: number): void =>
    judged(target, `${what}, worst row${c ? ` (${c.worst.id})` : ""}`, c, c?.worst.ratio, bound);

  const same = compareStarts(results, "expen-cg@blas", "scipy-cg");
  const byStart =
    same && same.means.length > 1 ? `; start by start ${same.means.map((m) => m.toPrecision(3)).join(", ")}` : "";
  judged("1", "scipy-cg / expen-cg@blas", same, same?.mean, 1.4, byStart);
  worst("1", "scipy-cg / expen-cg@blas", same, 1);
  mean("2", "noeig, scipy-cg / auto@blas", compare(results, "auto@blas", "scipy-cg", noeig), 28);
  mean("2", "noeig, pymanopt-rcg / auto@blas", compare(results, "auto@blas", "pymanopt-rcg", noeig), 13);
  mean("2", "Brockett n ≥ 1000, scipy-cg / auto@blas", compare(results, "auto@blas", "scipy-cg", large), 12);
  mean("2", "Brockett n ≥ 1000, pymanopt-rcg / auto@blas", compare(results, "auto@blas", "pymanopt-rcg", large), 6.5);
  const gaps = results.rows.filter(large).map((row) => ({ id: row.id, gap: runOf(row, "auto@blas")?.gap ?? null }));
  const largest = gaps.reduce<{ id: string; gap: number | null } | undefined>(
    (a, b) => (a && (b.gap === null || a.gap! >= b.gap) ? a : b),
    undefined,
  );
  list.push(
    verdict("2", "Brockett n ≥ 1000, relative gap of auto@blas, largest", largest?.gap, "≤", 3e-5, largest?.id),
  );
  worst("2", "fastest peer / auto@blas", compare(results, "auto@blas", peer), 1);
  mean("3", "noeig, fastest peer / auto@wasm", compare(results, "auto@wasm", peer, noeig), 8);
  mean("3", "Brockett n ≥ 1000, fastest peer / auto@wasm", compare(results, "auto@wasm", peer, large), 2.5);
  for (const { id, ratio } of results.nearLimit ?? []) {
    list.push(verdict("4", `${id}, time of auto@blas / time of its BLAS and LAPACK calls alone`, ratio, "≤", NEAR));
  }
  if (!results.nearLimit)
    list.push(verdict("4", "time of auto@blas / time of its BLAS and LAPACK calls alone", null, "≤", NEAR));
  for (const { letter, fixed, exponent } of results.growth?.lines ?? []) {
    // a power fitted to times is not exact
    const [what, bound] = letter === "n" ? [`n at p = ${fixed}`, 1.08] : [`p at n = ${fixed}`, 2.05];
    list.push(verdict("5", `noeig, time of an evaluation, power of ${what}`, exponent, "≤", bound));
  }
  const memory = results.growth?.lines.flatMap(({ points }) => points.map(({ matrices }) => matrices));
  list.push(
    verdict("5", "noeig, n×p matrices that a run asks for, largest", memory && Math.max(...memory), "≤", MATRICES),
  );
  return list;
}
