/** What a run of the suite leaves behind, as JSON, and what its numbers mean. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Evaluations } from "@expen/core";
import type { Clock } from "../contender.js";
import { ROOT } from "../peers.js";
import type { Results } from "../results.js";

/** One contender on one instance. */
export interface AnyRun {
  contender: string;
  status: string;
  text: string;
  /** best of the repeats; null where nothing was measured */
  seconds: number | null;
  evaluations: Evaluations | null;
  iterations: number | null;
  /** of the projected X, by the judge */
  f: number | null;
  stationarity: number | null;
}

export interface AnyCase {
  family: string;
  n: number;
  p: number;
  seed: number;
  tol: number;
  runs: AnyRun[];
}

/** Grows when what is measured, or how, changes. */
export const ANY_FORMAT = 1;

export interface AnyResults {
  suite: "any-f";
  format: typeof ANY_FORMAT;
  date: string;
  commit: string;
  machine: Results["machine"];
  threads: number;
  clock: Clock;
  repeats: number;
  /** part of the gradient norm at the start */
  tol: number;
  limit: number;
  seeds: number;
  contenders: Record<string, string>;
  skipped: Record<string, string>;
  cases: AnyCase[];
}

/** Calls of f with its gradient; a product with the Hessian is one more gradient. */
export const work = ({ f, grad, hvp }: Evaluations): number => Math.max(f, grad) + hvp;

/** A projected gradient may stand a little above the one that was stopped at. */
const ROOM = 1.05;
export const isReached = ({ tol }: AnyCase, { stationarity }: AnyRun): boolean =>
  stationarity !== null && stationarity <= ROOM * tol;

export type Measure = "evaluations" | "seconds";

/** Evaluations or seconds of a run that reached the tolerance; infinite where it did not. */
export function cost(one: AnyCase, contender: string, measure: Measure): number {
  const run = one.runs.find((candidate) => candidate.contender === contender);
  if (!run || !isReached(one, run)) return Number.POSITIVE_INFINITY;
  const value = measure === "seconds" ? run.seconds : run.evaluations && work(run.evaluations);
  return value ?? Number.POSITIVE_INFINITY;
}

const FOLDER = join(ROOT, "bench/results/any-f");
export const ANY_PARTIAL = join(ROOT, ".expen/bench-any-f.json");

export function writeAny(path: string, results: AnyResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
}

export function readAny(path: string): AnyResults {
  const results = JSON.parse(readFileSync(path, "utf8")) as AnyResults;
  if (results.suite !== "any-f" || results.format !== ANY_FORMAT) {
    throw new RangeError(`${path}: not a result of the suite any-f in format ${ANY_FORMAT}; run the suite again.`);
  }
  return results;
}

/** The newest of the kept results. */
export function newestAny(): string {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  if (names.length === 0)
    throw new RangeError("any-f: there are no results; 'npm run bench -- --suite any-f' makes them.");
  return join(FOLDER, names.sort().at(-1)!);
}

export const keptAny = ({ date, machine }: AnyResults): string =>
  join(FOLDER, `${date.slice(0, 10)}-${machine.cores}-cores.json`);
