import { availableParallelism, cpus } from "node:os";
import {
  chooseCompetitors,
  competitorNames,
  INSTANCE_SEED,
  type Plan,
  paperTables,
  runTask,
  type Size,
  type TableId,
  taskKey,
  tasksOf,
} from "@expen/experiments/paper";
import type { Problem } from "@expen/experiments/problems";
import { problems } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import { requireMemory } from "@expen/linalg/memory";
import type { SolverName } from "@expen/solvers";
import { solverParts } from "@expen/solvers";
import { Argument, type Command } from "commander";
import { openEngineOf } from "../engine-option.js";
import { json } from "../format.js";
import { InputError, oneOf } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { integer, list } from "../option-values.js";
import { reproduceProgress } from "../reproduce/progress.js";
import { makeReport, type Report } from "../reproduce/report-data.js";
import { openStore, type Store } from "../reproduce/store.js";
import { writeReport } from "../reproduce/write-report.js";
import { solverNames } from "../run-options.js";

interface ReproduceFlags {
  runs?: number;
  quick?: boolean;
  solvers?: string;
  sizes?: string;
  out: string;
  engine: string;
  threads?: number;
  json?: boolean;
  quiet?: boolean;
}

const PARTS = [...paperTables.map((t) => t.id), "figure", "all"] as const;
/** starts for each row */
const RUNS = 10;
/** iterations of the untimed run of each solver before its first timed one, so that no time includes compiling */
const WARM_UP = 30;

const EXAMPLES = `
Examples:
  expen reproduce all --quick               a first look, about two minutes
  expen reproduce noeig-p                   one table, ten starts a row as in the paper
  expen reproduce all --solvers auto,expen-cg --out my-report

Each finished run is saved in OUT/runs.jsonl at once: after an interruption the same command continues there.
Exit code: 0 every run converged to a feasible point, 1 not, 2 bad input or a full disk, 130 or 143 interrupted.`;

export function reproduceCommand(program: Command, version: string): void {
  program
    .command("reproduce")
    .description("compute the paper's tables and figure, and write a report in HTML, Markdown and JSON")
    .addArgument(new Argument("[part]", `one of ${PARTS.join(", ")}`).default("all"))
    .option("--runs <count>", `starts for each row (default: ${RUNS}, quick: 1)`, integer("runs", 1))
    .option("--quick", "one start a row, without the largest rows and the slowest solver")
    .option("--solvers <names>", `names with commas: ${competitorNames([]).join(", ")}, or any other solver`)
    .option("--sizes <list>", "sizes n×p in place of the paper's: 100x5,200x10")
    .option("--out <folder>", "folder for the runs and the report", "report")
    .option("--engine <name>", "as for solve", "auto")
    .option("--threads <count>", "threads of the engine", integer("threads", 1))
    .option("--json", "write the report to stdout as one JSON document")
    .option("--quiet", "do not show progress")
    .addHelpText("after", EXAMPLES)
    .action(async (part: string, flags: ReproduceFlags) => {
      process.exitCode = await reproduce(oneOf("part", part, PARTS), flags, version);
    });
}

async function reproduce(part: (typeof PARTS)[number], flags: ReproduceFlags, version: string): Promise<number> {
  const { quick = false, quiet = false, out } = flags;
  const names = flags.solvers === undefined ? undefined : list(flags.solvers);
  for (const name of names ?? []) oneOf("solver", name, competitorNames(solverNames));
  const { taking, missing, leftOut } = chooseCompetitors(solverNames, { names, quick });
  if (taking.length === 0) throw new InputError(`--solvers ${flags.solvers}: none of them is in this build.`);
  const sizes = flags.sizes === undefined ? undefined : list(flags.sizes).map(size);
  // before the folder is locked: a signal in between would leave it locked
  const { controller, interrupted, release } = interruptible();
  let store: Store | undefined;
  let E: Engine | undefined;
  try {
    store = openStore(out);
    E = await openEngineOf(flags);
    const plan: Plan = {
      tables: part === "all" ? paperTables.map((t) => t.id) : part === "figure" ? [] : [part as TableId],
      figure: part === "all" || part === "figure",
      runs: flags.runs ?? (quick ? 1 : RUNS),
      competitors: taking,
      quick,
      engine: E.name,
      ...(sizes && { sizes }),
    };
    for (const { problem, n, p, competitor } of tasksOf(plan)) {
      requireMemory(
        n,
        p,
        [...problems.get(problem)!.holds({ n, p }), ...solverParts(n, p, { solver: competitor.solver as SolverName })],
        E,
      );
    }
    const command = `expen reproduce ${[part, ...settingsOf(flags)].join(" ")}`;
    if (missing.length > 0) process.stderr.write(`Not in this build: ${missing.join(", ")}.\n`);
    await runAll(E, plan, store, controller.signal, quiet, `${machine()}, expen ${version}, ${E.description}`);
    const report = makeReport(plan, store.records, { command, missing, leftOut });
    const path = writeReport(out, report);
    process.stdout.write(flags.json ? json(report) : summary(report, path));
    const cells = report.summary.tables.flatMap((t) => t.groups.flatMap((g) => g.cells));
    return interrupted() ?? (report.summary.complete && cells.every((c) => c.converged === c.runs) ? 0 : 1);
  } finally {
    E?.dispose();
    store?.close();
    release();
  }
}

/** Runs the tasks that are not yet in the store. */
async function runAll(
  E: Engine,
  plan: Plan,
  store: Store,
  signal: AbortSignal,
  quiet: boolean,
  machine: string,
): Promise<void> {
  const tasks = tasksOf(plan).filter((task) => !store.records.has(taskKey(task, E.name)));
  const progress = reproduceProgress(tasks, E.name, quiet);
  const now = (): Date => new Date();
  /** solvers whose code the machine has already compiled */
  const warmed = new Set<string>();
  let instance: { name: string; problem: Problem } | undefined;
  for (const task of tasks) {
    if (signal.aborted) return;
    const name = `${task.problem} ${task.n} ${task.p}`;
    if (instance?.name !== name) {
      const { n, p } = task;
      instance = { name, problem: problems.get(task.problem)!.make(E, { n, p, seed: INSTANCE_SEED }) };
    }
    progress.begin(task);
    if (!warmed.has(task.competitor.solver)) {
      warmed.add(task.competitor.solver);
      await runTask(E, instance.problem, { ...task, maxIterations: WARM_UP, curve: false }, { signal, machine, now });
    }
    const began = performance.now();
    const record = await runTask(E, instance.problem, task, {
      signal,
      machine,
      now,
      observe: (s) => progress.see(task, s),
    });
    // an interrupted run does not count
    if (signal.aborted) return;
    store.add(record);
    progress.end(task, record, (performance.now() - began) / 1000);
  }
}

function size(text: string): Size {
  const [n, p] = text.split("x").map(Number);
  if (!Number.isInteger(n) || !Number.isInteger(p) || p! < 1 || n! < p!) {
    throw new InputError(`--sizes has '${text}'; write n and p as 100x5, with 1 ≤ p ≤ n.`);
  }
  return { n: n!, p: p! };
}

const settingsOf = ({ runs, quick, solvers, sizes, engine }: ReproduceFlags): string[] => [
  ...(runs === undefined ? [] : [`--runs ${runs}`]),
  ...(quick ? ["--quick"] : []),
  ...(solvers === undefined ? [] : [`--solvers ${solvers}`]),
  ...(sizes === undefined ? [] : [`--sizes ${sizes}`]),
  ...(engine === "auto" ? [] : [`--engine ${engine}`]),
];

const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.version}`;

const summary = (report: Report, path: string): string =>
  `${[...report.findings.map((f) => `• ${f}`), ...report.remarks.map((r) => `  ${r}`), "", `The report is ${path} (and report.md, report.json beside it)`].join("\n")}\n`;
