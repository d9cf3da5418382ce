import type { Table } from "../tables.js";
import { type SetsResults, type Summary, summaries } from "./results.js";

const shown = (all: Summary[]): Summary[] => all.filter(({ contender }) => contender !== "");
const digits = (x: number): string => x.toExponential(0);

/** A row for each problem and contender */
export function setsTable(results: SetsResults): Table {
  const body = shown(summaries(results, "sets")).map((s) => [
    s.problem,
    s.contender,
    `${s.best} of ${s.runs}`,
    `${s.feasible}`,
    digits(s.violation),
    `${s.median}`,
    `${s.largest}`,
    s.contender === "expen" ? `${s.proved}` : "",
  ]);
  return { head: ["problem", "contender", "best", "feasible", "violation", "median", "largest", "proved"], body };
}

/** The equations of one's own */
export function ownTable(results: SetsResults): Table {
  const body = shown(summaries(results, "own")).map((s) => [
    s.problem,
    s.contender,
    `${s.best} of ${s.runs}`,
    digits(s.violation),
    `${s.median}`,
    `${s.largest}`,
    Number.isFinite(s.jacobians) ? s.jacobians.toFixed(1) : "",
  ]);
  return { head: ["equations", "contender", "solved", "‖c‖", "median", "largest", "Jacobians"], body };
}

/** The instances of QAPLIB */
export function permutationTable(results: SetsResults): Table {
  const percent = (x: number): string => (x < 5e-4 ? "0" : x.toFixed(2));
  const optimum = (problem: string) => results.runs.find((run) => run.problem === problem)!.optimum;
  const body = shown(summaries(results, "permutations")).map((s) => [
    s.problem,
    `${optimum(s.problem)}`,
    s.contender,
    `${s.best} of ${s.runs}`,
    percent(s.excess[0]),
    percent(s.excess[1]),
    Number.isFinite(s.median) ? `${s.median}` : "–",
  ]);
  return { head: ["instance", "least known", "contender", "at it", "median %", "largest %", "evaluations"], body };
}

/** Clusters of measured data */
export function clusterTable(results: SetsResults): Table {
  const body = shown(summaries(results, "clusters")).map((s) => [
    s.problem,
    s.contender,
    `${s.runs}`,
    ...[s.rand[1], s.rand[0], s.rand[2]].map((x) => x.toFixed(3)),
    Number.isFinite(s.median) ? `${s.median}` : "–",
  ]);
  return { head: ["data", "contender", "seeds", "median", "least", "largest", "evaluations"], body };
}
