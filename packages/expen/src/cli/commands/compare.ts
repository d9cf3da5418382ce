import type { Manifold, Result, View } from "@expen/core";
import { type StiefelOptions, worksOn } from "@expen/core";
import { loadPoint } from "@expen/data/disk";
import type { Matrix } from "@expen/linalg";
import { type SolverName, solvers } from "@expen/solvers";
import type { Command } from "commander";
import { colours } from "../colours.js";
import { openEngineOf } from "../engine-option.js";
import { duration, json, small, table, value } from "../format.js";
import {
  addHistoryOptions,
  type HistoryFlags,
  keepsHistory,
  requireHistoryFiles,
  saveHistory,
} from "../history-files.js";
import { InputError, messageOf } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { list } from "../option-values.js";
import { openProblem, whereOf } from "../problem.js";
import { run } from "../run.js";
import { runDocument, succeeded } from "../run-document.js";
import {
  addOutputOptions,
  addProblemChoice,
  addRunOptions,
  commonOptions,
  PROBLEM_ARGUMENT,
  type RunFlags,
  solverName,
  solverNames,
} from "../run-options.js";
import { solverOptions } from "../solver-flags.js";

interface CompareFlags extends RunFlags, HistoryFlags {
  solvers: string;
}

/** A run, or the reason why it failed */
type Row = { solver: SolverName; result: Result } | { solver: SolverName; failure: string };

const WARM_UP: StiefelOptions = { maxIterations: 20, maxSeconds: 0.2, certificate: "stationary" };

const EXAMPLES = `
Examples:
  expen compare noeig --n 500 --p 20 --solvers all --tol 1e-3
  expen compare my-problem.ts --n 200 --p 5 --solvers auto,expen-newton --json
  expen compare brockett --n 100 --p 5 --solvers auto,rcg --history runs.csv --plot runs.svg

All solvers start from the same X. An option of some solvers, as --beta, goes to those that have it.
The options of a problem or a solver are listed too if they are named: expen compare pca --solvers rcg --help
Exit code: 0 every run converged to a feasible point, 1 not, 2 bad input, 130 or 143 interrupted.`;

export function compareCommand(program: Command): void {
  const command = program
    .command("compare")
    .argument("<problem>", PROBLEM_ARGUMENT)
    .description("run several solvers on one problem from the same start")
    .option("--solvers <names>", `'all', or names with commas: ${solverNames.join(", ")}`, "all");
  addProblemChoice(command);
  addRunOptions(command).option("--start <file>", "file with the X to start from");
  addHistoryOptions(command);
  addOutputOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (what: string, flags: CompareFlags) => {
      process.exitCode = await compare(what, flags);
    });
}

async function compare(what: string, flags: CompareFlags): Promise<number> {
  const names = flags.solvers === "all" ? solverNames : [...new Set(list(flags.solvers).map(solverName))];
  if (names.length === 0) throw new InputError("--solvers is empty; give names, separated by commas, or 'all'.");
  await requireHistoryFiles(flags);
  const { on, make } = await openProblem(what, flags as unknown as Record<string, unknown> & RunFlags, names);
  const startFile = flags.start ? await loadPoint(flags.start, on.shapes) : undefined;
  const E = await openEngineOf(flags);
  const { controller, interrupted, release } = interruptible();
  try {
    const problem = make(E);
    if (problem.subjectTo || on.subjectTo) {
      throw new InputError(
        `${what}: solvers that compare runs take no constraints beside the manifold; take expen solve.`,
      );
    }
    const start = startFile?.matrix ?? problem.start;
    const rows: Row[] = [];
    /** Runs a solver, after a short untimed run of it, so that no time includes compiling. */
    const runWarm = async (solver: SolverName, options: StiefelOptions): Promise<Row> => {
      // an exception of the user's f ends this run only
      const own = new AbortController();
      const abort = (): void => own.abort();
      controller.signal.addEventListener("abort", abort);
      try {
        const warm = { ...options, ...WARM_UP };
        await run(problem, solver, warm, { controller: own, quiet: true });
        return {
          solver,
          result: await run(problem, solver, options, { controller: own, quiet: flags.quiet ?? false }),
        };
      } catch (error) {
        return { solver, failure: messageOf(error) };
      } finally {
        controller.signal.removeEventListener("abort", abort);
      }
    };
    // 'all' means all that are defined on this manifold
    const racing =
      flags.solvers === "all" ? names.filter((solver) => worksOn(solvers[solver], problem.bound.on)) : names;
    for (const solver of racing) {
      if (interrupted() !== undefined) break;
      const options: StiefelOptions = {
        ...solverOptions(solver, flags, true),
        ...commonOptions(flags),
        ...(start && { start: start as Matrix }),
        ...(keepsHistory(flags) && { history: true }),
      };
      rows.push(await runWarm(solver, options));
    }
    const histories = rows.flatMap((row) => ("result" in row ? [[row.solver, row.result] as const] : []));
    await saveHistory(flags, Object.fromEntries(histories));
    const { name, n, p } = problem;
    if (flags.json) {
      const runs = rows.map((row) =>
        "result" in row ? runDocument(name, row.result) : failureDocument(name, on, flags.seed, E.name, row),
      );
      process.stdout.write(json({ problem: name, on: on.text, n, p, seed: flags.seed, engine: E.name, runs }));
    } else process.stdout.write(report(`${name}  ${whereOf(on)}, seed ${flags.seed}, engine ${E.name}`, rows));
    return interrupted() ?? (rows.every((row) => "result" in row && succeeded(row.result)) ? 0 : 1);
  } finally {
    release();
    E.dispose();
  }
}

/** The document of a failed run: the same keys, without numbers */
function failureDocument(
  problem: string,
  { text, n, p }: Manifold<View>,
  seed: number,
  engine: string,
  row: { solver: string; failure: string },
) {
  const nothing = { fval: null, stationarity: null, feasibility: null, feasibilityBeforeProjection: null };
  return {
    problem,
    on: text,
    n,
    p,
    seed,
    solver: row.solver,
    engine,
    beta: null,
    status: "failed",
    reason: { kind: "failed", converged: false, text: row.failure },
    ...nothing,
    iterations: 0,
    evaluations: { f: 0, grad: 0, hvp: 0 },
    seconds: 0,
    optimum: null,
    gap: null,
    certificate: { level: "none", text: "the run failed" },
    notes: [],
  };
}

/** The best of each column among the runs that succeeded is marked. */
function report(title: string, rows: readonly Row[]): string {
  const { bold, green, red, dim } = colours;
  const good = rows.flatMap((row) => ("result" in row && succeeded(row.result) ? [row.result] : []));
  const plainly = good.every((r) => r.run.on.startsWith("stiefel("));
  const hasGap = good.some((r) => r.gap !== null);
  const columns: { head: string; of: (r: Result) => number; text: (x: number) => string; digits?: number }[] = [
    { head: "f(X)", of: (r) => r.fval, text: value, digits: 9 },
    ...(hasGap ? [{ head: "f − f*", of: (r: Result) => r.gap ?? Number.NaN, text: small }] : []),
    { head: "iterations", of: (r) => r.iterations, text: String },
    { head: "evaluations", of: (r) => r.evaluations.f + r.evaluations.hvp, text: String },
    { head: "‖grad f‖", of: (r) => r.stationarity, text: small },
    { head: plainly ? "‖XᵀX − I‖" : "‖K(X)‖", of: (r) => r.feasibility, text: small },
    { head: "time", of: (r) => r.seconds, text: duration },
  ];
  const compared = new Set(["f(X)", "iterations", "evaluations", "time"]);
  const best = columns.map(({ of }) => Math.min(...good.map(of)));
  const cells = rows.map((row) => {
    if (!("result" in row)) return [row.solver, ...columns.map(() => "–"), red(`✗ ${row.failure}`)];
    const { result } = row;
    const numbers = columns.map(({ of, text, head, digits = 15 }, j) => {
      const x = of(result);
      const isBest =
        compared.has(head) &&
        succeeded(result) &&
        Number(x.toPrecision(digits)) === Number(best[j]!.toPrecision(digits));
      return isBest ? `${bold(green(text(x)))}*` : `${text(x)} `;
    });
    return [row.solver, ...numbers, succeeded(result) ? dim(result.certificate.level) : red(`✗ ${result.reason.text}`)];
  });
  const padLast = (texts: string[][]): string[][] => {
    const widest = Math.max(...texts.map((row) => row.at(-1)!.length));
    return texts.map((row) => [...row.slice(0, -1), row.at(-1)!.padEnd(widest)]);
  };
  const heads = ["solver", ...columns.map((c) => `${c.head} `), "answer"];
  const [head, ...body] = padLast([heads, ...cells]);
  return `${bold(title)}\n\n${table(head!, body)}\n${dim("* best of the runs that converged")}\n`;
}
