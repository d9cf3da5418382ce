/** Results of the suite any-f, and the costs that its tables compare. */
import type { Evaluations } from "@expen/core";
import { work } from "../contender.js";
import type { Head, Kind } from "../store.js";

/** One contender on one instance. */
export interface AnyRun {
  contender: string;
  status: string;
  text: string;
  /** best of the repeats; null where nothing was measured */
  seconds: number | null;
  evaluations: Evaluations | null;
  iterations: number | null;
  /** f at the projected X, by the judge */
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

export const kind: Kind = { name: "any-f", format: 2 };

export interface AnyResults extends Head {
  repeats: number;
  /** relative to the gradient norm at the start */
  tol: number;
  seeds: number;
  cases: AnyCase[];
}

/** Stationarity at the projected X over the tolerance up to which a run counts as converged: projection changes the gradient a little. */
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
