import type { StiefelOptions, SubjectOptions } from "@expen/core";
import { ObjectiveError, type Result } from "@expen/core";
import type { Loaded } from "@expen/data";
import { extensions } from "@expen/data";
import { loadPoint, type Point, requireFileFor, savePoint } from "@expen/data/disk";
import { startedAs } from "@expen/engines/mpi";
import type { Engine, Matrix } from "@expen/linalg";
import type { Command } from "commander";
import { colours } from "../colours.js";
import { addConstraintOptions, type ConstraintFlags, constraintsOf } from "../constraint-options.js";
import { isSpread, openEngineOf } from "../engine-option.js";
import { duration, json, pairs, small, value } from "../format.js";
import {
  addHistoryOptions,
  type HistoryFlags,
  keepsHistory,
  requireHistoryFiles,
  saveHistory,
} from "../history-files.js";
import { InputError } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { openProblem } from "../problem.js";
import { agreedCode, isByRows, saveTogether, startByRows } from "../rank-files.js";
import { run } from "../run.js";
import { runDocument, succeeded, successOf } from "../run-document.js";
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
import { furtherOptions } from "../shared-options.js";
import { solverOptions } from "../solver-flags.js";
import { checkWritable } from "../writable.js";

interface SolveFlags extends RunFlags, HistoryFlags, ConstraintFlags {
  solver: string;
  out?: string;
  check: boolean;
}

const EXAMPLES = `
Examples:
  expen solve noeig --n 1000 --p 10
  expen solve noeig --solver expen-cg --beta paper --tol 1e-3      the paper's method
  expen solve pca --A data.csv --p 3 --out components.npy
  expen pca data.csv --p 3 --out components.npy                   variances, order and signs as well
  expen solve my-problem.ts --n 200 --p 5 --json > result.json
  expen solve my-problem.ts --on "generalized-stiefel(B.mtx, 10)"
  expen solve my-problem.ts --n 60 --p 5 --nonnegative
  expen solve my-problem.ts --on "product(U: stiefel(20, 3), V: sphere(10))" --out UV.npz

The options of a problem or a solver are listed too if they are named: expen solve pca --solver rcg --help
Exit code: 0 converged to a feasible point, 1 not, 2 bad input, 130 or 143 interrupted.`;

/** The options that `--help` lists; --help-all lists the others too */
const FIRST = "--solver --n --p --on --engine --tol --max-time --start --out --json".split(" ");

export function solveCommand(program: Command): void {
  const command = program
    .command("solve")
    .argument("[problem]", PROBLEM_ARGUMENT)
    .description("minimise a built-in problem, or your own from a .ts, .js or .mjs file")
    .option("--solver <name>", `one of ${solverNames.join(", ")}`, "auto");
  addProblemChoice(command, { ranks: true });
  addConstraintOptions(addRunOptions(command))
    .option("--start <file>", "file with the X to start from; several matrices in an .npz file, by name")
    .option("--out <file>", `file to save X in: ${extensions.join(", ")}`)
    .option("--no-check", "do not check the derivatives of your own file");
  addHistoryOptions(command);
  addOutputOptions(command);
  furtherOptions(
    command,
    command.options.filter(({ long }) => !FIRST.includes(long!)),
  );
  command.addHelpText("after", EXAMPLES).action(async (what: string | undefined, flags: SolveFlags) => {
    process.exitCode = await solve(what, flags);
  });
}

async function solve(what: string | undefined, flags: SolveFlags): Promise<number> {
  const name = solverName(flags.solver);
  const ownOptions = solverOptions(name, flags);
  const { out } = flags;
  await requireFiles(flags);
  if (what === undefined)
    throw new InputError("solve: name a problem or a file; 'expen solve --help' lists the problems.");
  const { on, make, size } = await openProblem(what, flags as unknown as Record<string, unknown> & RunFlags, [name]);
  if (out) requireFileFor(out, on.shapes);
  const engineNotes: string[] = [];
  const wholeStart = flags.start && !isSpread(flags.engine) ? await loadPoint(flags.start, on.shapes) : undefined;
  const E = await openEngineOf(flags, { ranks: true, ...(size && { size }), notes: engineNotes });
  const writes = !E.ranks || E.ranks.rank === 0;
  const { controller, interrupted, release } = interruptible();
  try {
    const problem = make(E);
    problem.notes.push(...engineNotes);
    const startFile = flags.start ? (wholeStart ?? (await readStart(flags.start))) : undefined;
    if (startFile) problem.notes.push(...startFile.notes.map((note) => `${flags.start}: ${note}`));
    const start = startFile?.matrix ?? problem.start;
    const options: StiefelOptions & SubjectOptions = {
      ...ownOptions,
      ...commonOptions(flags),
      ...constraintsOf(flags, problem.subjectTo),
      // the library checks that it is a point of the manifold
      ...(start && { start: start as Matrix }),
      ...(keepsHistory(flags) && { history: true }),
    };
    const result = await run(problem, name, options, {
      controller,
      quiet: flags.quiet || !writes,
      check: problem.own && flags.check,
    }).catch(async (error) => {
      if (out && !E.ranks && error instanceof ObjectiveError) await savePoint(out, error.X);
      throw error;
    });
    if (out) await saveAnswer(out, result.X);
    const code = E.ranks ? agreedCode(E.ranks, interrupted()) : interrupted();
    E.ranks?.leave();
    if (!writes) return exitCode(result, code);
    await saveHistory(flags, { [name]: result }, true);
    const { name: what } = problem;
    process.stdout.write(flags.json ? json(runDocument(what, result)) : answer(what, E, result, out));
    return exitCode(result, code);
  } finally {
    release();
    E.dispose();
  }

  function readStart(path: string): Promise<Loaded<Point>> {
    return isByRows(E, on) ? startByRows(E, path, on) : loadPoint(path, on.shapes);
  }

  function saveAnswer(path: string, X: Matrix): Promise<void> {
    return E.ranks ? saveTogether(E.ranks, path, X, on) : savePoint(path, X);
  }
}

/** Refuses names of files that cannot be written to, before anything is read. */
async function requireFiles(flags: SolveFlags): Promise<void> {
  const { out, engine } = flags;
  // rank 0 writes for all
  const writes = !isSpread(engine) || (startedAs()?.rank ?? 0) === 0;
  if (out && writes) await checkWritable("out", out);
  if (out && !extensions.some((ending) => out.toLowerCase().endsWith(ending))) {
    throw new InputError(`--out ${out}: the name must end in one of ${extensions.join(", ")}.`);
  }
  if (writes) await requireHistoryFiles(flags);
}

const exitCode = (result: Result, signalled: number | undefined): number => signalled ?? (succeeded(result) ? 0 : 1);

/** The answer for people. */
function answer(name: string, E: Engine, r: Result, out?: string): string {
  const { bold, green, red, dim } = colours;
  const mark = succeeded(r) ? green(`✓ ${successOf(r)}`) : red(`✗ ${r.status}`);
  const { f, hvp } = r.evaluations;
  const count = r.certificate.evaluations;
  const { on, solver, method, why, seed, beta } = r.run;
  const plainly = on === `stiefel(${r.n}, ${r.p})`;
  const rows: [string, string][] = [
    ["f(X)", bold(value(r.fval))],
    ["‖grad f‖", `${small(r.stationarity)}${plainly ? `  ${dim("∇f − X·sym(Xᵀ∇f)")}` : ""}`],
    [
      plainly ? "‖XᵀX − I‖" : "‖K(X)‖",
      `${small(r.feasibility)}  ${dim(`before projection ${small(r.feasibilityBeforeProjection)}`)}`,
    ],
    [
      "iterations",
      `${r.iterations}, ${f} evaluations${hvp > 0 ? `, ${hvp} Hessian products` : ""}, ${duration(r.seconds)}`,
    ],
    ["", dim(`certificate: ${count.f + count.hvp} evaluations, ${duration(r.certificate.seconds)}`)],
  ];
  if (r.violation !== undefined) {
    const more = `complementarity ${small(r.complementarity!)}, ρ = ${small(r.penalty!)}`;
    rows.push(["violation", `${small(r.violation)}  ${dim(more)}`]);
  }
  if (r.optimum !== null) rows.push(["f − f*", `${small(r.gap)}  ${dim(`f* = ${value(r.optimum)}`)}`]);
  if (r.communication) {
    const { reductions, reductionsPerEvaluation, exchanges, bytes } = r.communication;
    const counts = `${reductions} sums over ranks (${reductionsPerEvaluation.toFixed(1)} an evaluation), ${exchanges} exchanges`;
    rows.push(["messages", `${counts}, ${(bytes / 1e6).toFixed(1)} MB a rank`]);
  }
  if (beta !== undefined) rows.push(["β", beta.toPrecision(6)]);
  if (method !== solver) rows.push(["method", `${method}  ${dim(why)}`]);
  rows.push(["certificate", r.certificate.text], ["engine", dim(E.description)]);
  const where = plainly ? `n = ${r.n}, p = ${r.p}` : `X on ${on}`;
  const lines = [`${bold(name)}  ${where}, seed ${seed}, solver ${solver}`, ""];
  lines.push(`${mark}: ${r.reason.text}`, "", pairs(rows));
  const further = r.notes.filter((note) => note !== r.reason.text);
  if (further.length > 0) lines.push("", ...further.map((note) => dim(`note: ${note}`)));
  if (out) lines.push("", `X is in ${out}`);
  return `${lines.join("\n")}\n`;
}
