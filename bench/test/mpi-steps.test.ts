import { describe, expect, test } from "vitest";
import type { MpiRun } from "../mpi-run.js";
import { slower, stepsAlike, timed } from "../mpi-steps.js";

/** A run whose step k took evaluations[k − 1] evaluations and seconds[k − 1] */
const run = (evaluations: number[], seconds: number[]): MpiRun =>
  ({ steps: evaluations.map((e, i) => ({ k: i + 1, evaluations: e, seconds: seconds[i] })) }) as MpiRun;

describe("the time of an evaluation over several runs", () => {
  const first = run([1, 1, 4, 2], [9, 1, 4, 3]);
  const second = run([1, 1, 4, 2], [9, 2, 4, 2]);
  const other = run([1, 1, 2, 2], [5, 5, 5, 5]);

  test("steps that took another number of evaluations somewhere are left out, and the first ones", () => {
    expect(stepsAlike([first, second, other], 1)).toEqual([2, 4]);
    expect(() => stepsAlike([first, other], 4)).toThrow(/more --iterations/);
  });

  test("best and median are taken of each step over the rounds, then summed", () => {
    expect(timed([first, second], [2, 4])).toEqual({ best: 3 / 3, median: 4 / 3, rounds: [4 / 3, 4 / 3] });
  });

  test("of runs at the same time the slower one counts, step by step", () => {
    expect(slower([first, second]).steps.map(({ seconds }) => seconds)).toEqual([9, 2, 4, 3]);
  });
});
