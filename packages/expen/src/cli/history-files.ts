/** --history and --plot: the steps of runs as numbers and as a drawing. */
import { resolve } from "node:path";
import type { Result, Row } from "@expen/core";
import { savePieces } from "@expen/data";
import type { Command } from "commander";
import { plotConvergence } from "../plot/convergence.js";
import { InputError } from "./input-error.js";
import { checkWritable } from "./writable.js";

export interface HistoryFlags {
  history?: string;
  plot?: string;
  out?: string;
}

export const addHistoryOptions = (command: Command): Command =>
  command
    .option(
      "--history <file>",
      "file to save f, ‖grad f‖, evaluations and seconds of every iteration in: .csv or .json",
    )
    .option("--plot <file>", "file to draw ‖grad f‖ over evaluations in: .svg");

/** Whether runs have to keep their history */
export const keepsHistory = ({ history, plot }: HistoryFlags): boolean => history !== undefined || plot !== undefined;

/** Refuses wrong names of files, and names that cannot be written to, before a run. */
export async function requireHistoryFiles({ history, plot, out }: HistoryFlags): Promise<void> {
  if (history && !/\.(csv|json)$/i.test(history)) {
    throw new InputError(`--history ${history}: the name must end in .csv or .json.`);
  }
  if (plot && !/\.svg$/i.test(plot)) throw new InputError(`--plot ${plot}: the name must end in .svg.`);
  const files = Object.entries({ out, history, plot }).filter((entry): entry is [string, string] => !!entry[1]);
  for (const [i, [option, path]] of files.entries()) {
    const other = files.slice(0, i).find(([, before]) => resolve(before) === resolve(path));
    if (other) throw new InputError(`--${other[0]} and --${option} are both ${path}; give two names.`);
  }
  for (const [option, path] of Object.entries({ history, plot })) if (path) await checkWritable(option, path);
}

/** Writes the histories of runs by the names of their solvers; `isOne`: the file is of one run, and needs no name. */
export async function saveHistory(
  { history, plot }: HistoryFlags,
  results: Readonly<Record<string, Result>>,
  isOne = false,
): Promise<void> {
  if (history) {
    const text = /\.json$/i.test(history) ? jsonOf(results, isOne) : csvOf(results, isOne);
    await savePieces(history, () => [text]);
  }
  if (plot && Object.keys(results).length > 0) {
    const runs = isOne ? Object.values(results) : results;
    await savePieces(plot, () => [plotConvergence(runs)]);
  }
}

function jsonOf(results: Readonly<Record<string, Result>>, isOne: boolean): string {
  const rows = Object.entries(results).map(([name, { history = [] }]) => [name, history] as const);
  return `${JSON.stringify(isOne ? rows[0]![1] : Object.fromEntries(rows))}\n`;
}

/** One table of all runs, with the name of the solver in the first column if there are several */
function csvOf(results: Readonly<Record<string, Result>>, isOne: boolean): string {
  const runs = Object.entries(results).map(([name, { history = [] }]) => [name, history] as const);
  const isMeasured = runs.some(([, rows]) => rows.some(({ feasibility }) => feasibility !== undefined));
  const keys: (keyof Row)[] = ["k", "f", "gnorm", "step", "seconds", "evaluations"];
  if (isMeasured) keys.push("feasibility");
  const isConstrained = runs.some(([, rows]) => rows.some(({ residual }) => residual !== undefined));
  if (isConstrained) keys.push("residual", "penalty");
  const lines = runs.flatMap(([name, rows]) =>
    rows.map((row) => [...(isOne ? [] : [name]), ...keys.map((key) => row[key] ?? "")].join(",")),
  );
  return `${[[...(isOne ? [] : ["solver"]), ...keys].join(","), ...lines].join("\n")}\n`;
}
