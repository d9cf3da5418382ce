/**
 * The time of an evaluation, from runs that do not take the same steps. A step with several trial points has one direction for all of
 * them, so that its evaluations are cheaper: half the rows are another problem, whose trial points are refused at other steps. Compared
 * are the steps k that took as many evaluations in all runs. What is fitted every few steps is fitted at the same k in all of them.
 */
import type { MpiRun } from "./mpi-run.js";

/** Steps until the memory of pairs is full and the metric has settled */
export const SETTLED = 30;

/** Seconds of an evaluation */
export interface Timed {
  /** from the best time of each step over the rounds: the work is equal to the bit in all of them */
  best: number;
  /** from the median time of each step */
  median: number;
  /** from each round alone */
  rounds: number[];
}

/** Steps after the first ones with the same number of evaluations in every run */
export function stepsAlike(runs: readonly MpiRun[], after = SETTLED): number[] {
  const [first, ...others] = runs as [MpiRun, ...MpiRun[]];
  const alike = first.steps.filter(
    ({ k, evaluations }) => k > after && others.every((r) => stepOf(r, k)?.evaluations === evaluations),
  );
  if (alike.length === 0)
    throw new RangeError(`No step after ${after} took as many evaluations in all runs; give more --iterations.`);
  return alike.map(({ k }) => k);
}

/** The same run several times */
export function timed(rounds: readonly MpiRun[], steps: readonly number[]): Timed {
  const evaluations = steps.reduce((sum, k) => sum + stepOf(rounds[0]!, k)!.evaluations, 0);
  const over = (of: (times: number[]) => number): number =>
    steps.reduce((sum, k) => sum + of(rounds.map((r) => stepOf(r, k)!.seconds)), 0) / evaluations;
  return {
    best: over((times) => Math.min(...times)),
    median: over(median),
    rounds: rounds.map((_, i) => over((times) => times[i]!)),
  };
}

/** The slowest of simultaneous runs in each step, for which ranks would have waited */
export function slower(runs: readonly MpiRun[]): MpiRun {
  const steps = runs[0]!.steps.map((step, i) => ({
    ...step,
    seconds: Math.max(...runs.map((r) => r.steps[i]!.seconds)),
  }));
  return { ...runs[0]!, steps };
}

const stepOf = ({ steps }: MpiRun, k: number) => steps.find((step) => step.k === k);

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}
