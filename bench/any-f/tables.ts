/** Tables of the suite: evaluations, ratios to the best peer, means, and how many cases each contender solved. */
import { geometricMean, orDash, type Table } from "../tables.js";
import { type AnyCase, type AnyResults, cost, isReached, type Measure } from "./results.js";

const isOwn = (name: string): boolean => name.includes("@");

const shown = (value: number): string => orDash(value, (v) => v.toFixed(2));

/** The cases of a family and size. */
function groups({ cases }: AnyResults): Map<string, AnyCase[]> {
  const all = new Map<string, AnyCase[]>();
  for (const one of cases) {
    const name = `${one.family} ${one.n}×${one.p}`;
    all.set(name, [...(all.get(name) ?? []), one]);
  }
  return all;
}

/** cost of b over cost of a, in the cases where both reached the tolerance */
export function ratios(cases: readonly AnyCase[], a: (one: AnyCase) => number, b: (one: AnyCase) => number): number[] {
  return cases.map((one) => b(one) / a(one)).filter((ratio) => Number.isFinite(ratio) && ratio > 0);
}

const of = (name: string, measure: Measure) => (one: AnyCase) => cost(one, name, measure);

/** The least cost of all peers, of a different peer in each case if need be. */
export const bestPeer =
  ({ contenders }: AnyResults, measure: Measure) =>
  (one: AnyCase): number =>
    Math.min(...Object.keys(contenders).flatMap((name) => (isOwn(name) ? [] : [cost(one, name, measure)])));

/** Evaluations of each contender or of the named ones, and how many times more of them and of the time the best peer needs. */
export function familyTable(results: AnyResults, names = Object.keys(results.contenders)): Table {
  const own = names.filter(isOwn);
  const body = [...groups(results)].map(([title, cases]) => {
    const counts = names.map((name) => {
      const values = cases.map(of(name, "evaluations")).filter(Number.isFinite);
      if (values.length === 0) return "–";
      const missing = cases.length - values.length;
      return `${geometricMean(values).toFixed(0)}${missing > 0 ? ` (${missing} failed)` : ""}`;
    });
    const against = own.flatMap((name) =>
      (["evaluations", "seconds"] as const).map((measure) =>
        shown(geometricMean(ratios(cases, of(name, measure), bestPeer(results, measure)))),
      ),
    );
    return [title, ...counts, ...against];
  });
  const heads = own.flatMap((name) => [`best peer : ${name}`, "in time"]);
  return { head: ["family", ...names, ...heads], body };
}

/** How many times more each contender needs than the first: geometric means over all cases that both reached. */
export function meansOf(results: AnyResults): Table {
  const names = Object.keys(results.contenders);
  const own = names.filter(isOwn);
  const line = (label: string, costOf: (measure: Measure) => (one: AnyCase) => number, reached: string): string[] => [
    label,
    reached,
    ...own.flatMap((name) =>
      (["evaluations", "seconds"] as const).map((measure) =>
        shown(geometricMean(ratios(results.cases, of(name, measure), costOf(measure)))),
      ),
    ),
  ];
  const reachedBy = (name: string): string => {
    const count = results.cases.filter((one) => one.runs.some((run) => run.contender === name && isReached(one, run)));
    return `${count.length} of ${results.cases.length}`;
  };
  return {
    head: ["contender", "reached", ...own.flatMap((name) => [`evaluations : ${name}`, "in time"])],
    body: [
      ...names.map((name) => line(name, (measure) => of(name, measure), reachedBy(name))),
      ...(names.some((name) => !isOwn(name)) ? [line("best peer", (measure) => bestPeer(results, measure), "")] : []),
    ],
  };
}

/** Rows whose value lies beyond a bound, the worst first: "brockett 60×15 (0.85)". */
function beyond(rows: readonly (readonly [string, number])[], isBad: (value: number) => boolean): string {
  const bad = rows.filter(([, value]) => isBad(value));
  bad.sort(([, a], [, b]) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)));
  return bad.length === 0 ? "none" : bad.map(([title, value]) => `${title} (${value.toFixed(2)})`).join(", ");
}

/** The cost of `a` over that of `b`, and the rows in which the ratio is above the bound. */
export function againstFormer(results: AnyResults, a: string, b: string, measure: Measure, bound: number): string {
  const ratio = (cases: readonly AnyCase[]) => geometricMean(ratios(cases, of(b, measure), of(a, measure)));
  const rows = [...groups(results)].map(([title, cases]) => [title, ratio(cases)] as const);
  const what = measure === "seconds" ? "time" : measure;
  const mean = `\`${a}\` takes ${shown(ratio(results.cases))} of the ${what} of \`${b}\``;
  return `${mean}. Rows above ${bound}: ${beyond(rows, (value) => value > bound)}.`;
}

/** The rows in which the best peer needs less than 0.9 of the evaluations of `name`. */
export function lostRows(results: AnyResults, name: string): string {
  const rows = [...groups(results)].map(([title, cases]) => {
    const [ours, theirs] = [of(name, "evaluations"), bestPeer(results, "evaluations")];
    return [title, geometricMean(ratios(cases, ours, theirs))] as const;
  });
  const list = beyond(rows, (value) => value < 0.9);
  return `Of ${rows.length} rows the best peer needs fewer than 0.9 of the evaluations of \`${name}\` in: ${list}.`;
}

/** Relative excess of f over the least one of its case from which a run ended in another minimum. */
const OTHER = 1e-3;

/** The number of cases in which each contender ended above the best one. */
export function worseOptima({ cases, contenders }: AnyResults): string {
  const counts = new Map(Object.keys(contenders).map((name) => [name, 0]));
  for (const one of cases) {
    const reached = one.runs.filter((run) => isReached(one, run));
    const least = Math.min(...reached.map(({ f }) => f!));
    for (const { contender, f } of reached) {
      if (f! > least + OTHER * Math.abs(least)) counts.set(contender, counts.get(contender)! + 1);
    }
  }
  const list = [...counts].map(([name, count]) => `\`${name}\` ${count}`).join(", ");
  return `Cases that ended in a minimum above the best one: ${list}.`;
}

/** How often `name` ends above, and how often below, the median of the peers that reached the tolerance. */
export function againstMedian({ cases }: AnyResults, name: string): string {
  let [above, below] = [0, 0];
  for (const one of cases) {
    const reached = one.runs.filter((run) => isReached(one, run));
    const own = reached.find(({ contender }) => contender === name);
    const peers = reached.flatMap(({ contender, f }) => (isOwn(contender) ? [] : [f!])).sort((a, b) => a - b);
    if (!own || peers.length === 0) continue;
    const half = Math.floor(peers.length / 2);
    const median = peers.length % 2 === 1 ? peers[half]! : (peers[half - 1]! + peers[half]!) / 2;
    const room = OTHER * Math.abs(median);
    if (own.f! > median + room) above++;
    else if (own.f! < median - room) below++;
  }
  return `\`${name}\` ended above the median peer in ${above} cases, below it in ${below}.`;
}
