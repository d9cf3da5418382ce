/** The suite of the rows of the paper's four tables: `npm run bench` without `--suite`. */
import { list, number, text } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { growthPlot } from "../growth.js";
import { makeSuite, type Session } from "../suite.js";
import { sections } from "./report.js";
import { kind, type Results } from "./results.js";
import { type BenchOptions, bench } from "./run.js";

/** Starts of a run over all rows: the mean of three tells two programs of one algorithm apart. */
const STARTS = 3;

const options = {
  rows: text,
  contenders: list,
  repeats: number("repeats", 1),
  threads: (value?: string) => (value === "all" ? ("all" as const) : number("threads", 1)(value)),
  clock: clockNamed,
  limit: number("limit", 1),
  gap: number("gap", 0),
  seed: number("seed", 1),
  starts: number("starts", 1),
  slow: text,
};

/** The options of a run: `--quick` stands for a few rows, and a run over all rows takes several starts and measures the limits. */
export function runOptions(
  { quick, ...values }: Omit<BenchOptions, "limits"> & { quick: boolean },
  session: Session<Results>,
): BenchOptions {
  const rows = values.rows ?? (quick ? "quick" : undefined);
  const isAll = rows === undefined;
  const starts = values.starts ?? (isAll ? STARTS : undefined);
  return { ...values, ...session, rows, starts, limits: isAll };
}

export const paper = makeSuite({
  ...kind,
  title: "Benchmarks",
  page: "bench/reports/paper.md",
  options,
  flags: ["quick"],
  parts: ["rows", "quick", "contenders"],
  run: (values, session: Session<Results>) => bench(runOptions(values, session)),
  sections,
  plots: ({ growth }): Record<string, string> => (growth ? { "growth.svg": growthPlot(growth) } : {}),
});
