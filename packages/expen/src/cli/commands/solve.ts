import { resolve } from "node:path";
import type { StiefelOptions } from "@expen/core";
import {
  ContractError,
  counted,
  FormError,
  GradientError,
  noEvaluations,
  ObjectiveError,
  type Result,
  type Row,
  requireForms,
  requireGradient,
  type Spent,
  startOf,
} from "@expen/core";
import type { Loaded } from "@expen/data";
import { extensions, savePieces } from "@expen/data";
import { loadPoint, type Point, requireFileFor, savePoint } from "@expen/data/disk";
import { startedAs } from "@expen/engines/mpi";
import type { Engine, Matrix } from "@expen/linalg";
import type { Command } from "commander";
import { colours } from "../colours.js";
import { duration, json, pairs, small, value } from "../format.js";
import { InputError, messageOf } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { type OpenedProblem, openProblem } from "../problem.js";
import { agreedCode, isByRows, saveTogether, startByRows } from "../rank-files.js";
import {
  commonOptions,
  type RunFlags,
  run,
  runDocument,
  solverName,
  solverNames,
  succeeded,
  successOf,
} from "../run.js";
import {
  addOutputOptions,
  addProblemChoice,
  addRunOptions,
  engineOf,
  isSpread,
  PROBLEM_ARGUMENT,
} from "../run-options.js";
import { solverOptions } from "../solver-flags.js";
import { checkWritable } from "../writable.js";

interface SolveFlags extends RunFlags {
  solver: string;
  out?: string;
  history?: string;
  check: boolean;
}

const EXAMPLES = `
Examples:
  expen solve noeig --n 1000 --p 10
  expen solve noeig --solver expen-cg --beta paper --tol 1e-3      the paper's method
  expen solve pca --A data.csv --p 3 --out components.npy
  expen app pca data.csv --p 3 --out components.npy               variances, order and signs as well
  expen solve my-problem.ts --n 200 --p 5 --json > result.json
  expen solve my-problem.ts --on "generalized-stiefel(B.mtx, 10)"
  expen solve my-problem.ts --on "product(U: stiefel(20, 3), V: sphere(10))" --out UV.npz

Exit code: 0 converged to a feasible point, 1 not, 2 bad input, 130 or 143 interrupted.`;

export function solveCommand(program: Command): void {
  const command = program
    .command("solve")
    .argument("[problem]", PROBLEM_ARGUMENT)
    .description("minimise a built-in problem, or your own from a .ts, .js or .mjs file")
    .option("--solver <name>", `one of ${solverNames.join(", ")}`, "auto");
  addProblemChoice(command, { ranks: true });
  addRunOptions(command)
    .option("--start <file>", "matrix to begin at; of several an .npz file with their names")
    .option("--out <file>", `where to save X: ${extensions.join(", ")}`)
    .option("--history <file>", "where to save f, gradient and step of every iteration: .csv or .json")
    .option("--no-check", "do not look at the derivatives of your own file first");
  addOutputOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (what: string | undefined, flags: SolveFlags) => {
      process.exitCode = await solve(what, flags);
    });
}

async function solve(what: string | undefined, flags: SolveFlags): Promise<number> {
  const name = solverName(flags.solver);
  const chosen = solverOptions(name, flags);
  const { out, history } = flags;
  await requireFiles(flags);
  if (what === undefined)
    throw new InputError("solve: which problem? Give a name or a file; 'expen solve --help' lists both.");
  const { on, make, size } = await openProblem(what, flags as unknown as Record<string, unknown> & RunFlags, [name]);
  if (out) requireFileFor(out, on.shapes);
  const said: string[] = [];
  const whole = flags.start && !isSpread(flags.engine) ? await loadPoint(flags.start, on.shapes) : undefined;
  const E = await engineOf(flags, { ranks: true, ...(size && { size }), notes: said });
  const speaks = !E.ranks || E.ranks.rank === 0;
  const { controller, interrupted, release } = interruptible();
  try {
    const problem = make(E);
    problem.notes.push(...said);
    const given = flags.start ? (whole ?? (await startAt(flags.start))) : undefined;
    if (given) problem.notes.push(...given.notes.map((note) => `${flags.start}: ${note}`));
    const start = given?.matrix ?? problem.start;
    const options: StiefelOptions = {
      ...chosen,
      ...commonOptions(flags),
      // the library knows what a point of the manifold is
      ...(start && { start: start as Matrix }),
      ...(history && { history: true }),
    };
    const spent = problem.own && flags.check ? checkOwn(problem, options) : undefined;
    const result = await run(problem, name, options, {
      controller,
      quiet: flags.quiet || !speaks,
      ...(spent && { spent }),
    }).catch(async (error) => {
      if (out && !E.ranks && error instanceof ObjectiveError) await savePoint(out, error.X);
      throw error;
    });
    if (out) await saved(out, result.X);
    const code = E.ranks ? agreedCode(E.ranks, interrupted()) : interrupted();
    E.ranks?.leave();
    if (!speaks) return exitCode(result, code);
    if (history) await savePieces(history, () => [historyText(history, result.history!)]);
    const { name: what } = problem;
    process.stdout.write(flags.json ? json(runDocument(what, result)) : answer(what, E, result, out));
    return exitCode(result, code);
  } finally {
    release();
    E.dispose();
  }

  function startAt(path: string): Promise<Loaded<Point>> {
    return isByRows(E, on) ? startByRows(E, path, on) : loadPoint(path, on.shapes);
  }

  function saved(path: string, X: Matrix): Promise<void> {
    return E.ranks ? saveTogether(E.ranks, path, X, on) : savePoint(path, X);
  }
}

/** What is wrong with the names of --out and --history, before anything is read */
async function requireFiles({ out, history, engine }: SolveFlags): Promise<void> {
  // of several processes one writes
  const writes = !isSpread(engine) || (startedAs()?.rank ?? 0) === 0;
  if (out && writes) await checkWritable("out", out);
  if (out && !extensions.some((ending) => out.toLowerCase().endsWith(ending))) {
    throw new InputError(`--out ${out}: the name must end in one of ${extensions.join(", ")}.`);
  }
  if (history && !/\.(csv|json)$/i.test(history)) {
    throw new InputError(`--history ${history}: the name must end in .csv or .json.`);
  }
  if (history && writes) await checkWritable("history", history);
  if (history && out && resolve(history) === resolve(out)) {
    throw new InputError(`--out and --history are both ${out}; give two names.`);
  }
}

const exitCode = (result: Result, signalled: number | undefined): number => signalled ?? (succeeded(result) ? 0 : 1);

/** The check before the run of the library, on the user's file: what it finds is bad input. Returns what it took. */
function checkOwn({ name, bound, ...problem }: OpenedProblem, options: StiefelOptions): Spent {
  const { E, on } = bound;
  const spent: Spent = { began: performance.now(), evaluations: noEvaluations() };
  const objective = counted(problem.objective, spent.evaluations);
  const X = startOf(bound, options, []);
  try {
    spent.gradient = requireGradient(E, objective, X, options.seed ?? 1, "--no-check", on);
    if (!spent.gradient.notFinite) requireForms(E, objective, X, "--no-check");
  } catch (error) {
    const found = error instanceof GradientError || error instanceof FormError || error instanceof ContractError;
    const what = found ? "" : "f or its gradient throws at the start: ";
    throw new InputError(`${name}: ${what}${messageOf(error)}`, { cause: error });
  }
  const { notFinite } = spent.gradient;
  if (notFinite) throw new InputError(`${name}: ${notFinite} (--no-check runs without this check).`);
  return spent;
}

function historyText(path: string, rows: Row[]): string {
  if (/\.json$/i.test(path)) return `${JSON.stringify(rows)}\n`;
  const keys = ["k", "f", "gnorm", "step", "seconds", "evaluations"] as const;
  return `${[keys.join(","), ...rows.map((row) => keys.map((key) => row[key]).join(","))].join("\n")}\n`;
}

/** The answer for people. */
function answer(name: string, E: Engine, r: Result, out?: string): string {
  const { bold, green, red, dim } = colours;
  const mark = succeeded(r) ? green(`✓ ${successOf(r)}`) : red(`✗ ${r.status}`);
  const { f, hvp } = r.evaluations;
  const spent = r.certificate.evaluations;
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
    ["", dim(`certificate: ${spent.f + spent.hvp} evaluations, ${duration(r.certificate.seconds)}`)],
  ];
  if (r.optimum !== null) rows.push(["f − f*", `${small(r.gap)}  ${dim(`f* = ${value(r.optimum)}`)}`]);
  if (r.communication) {
    const { reductions, reductionsPerEvaluation, exchanges, bytes } = r.communication;
    const said = `${reductions} sums over ranks (${reductionsPerEvaluation.toFixed(1)} an evaluation), ${exchanges} exchanges`;
    rows.push(["messages", `${said}, ${(bytes / 1e6).toFixed(1)} MB a rank`]);
  }
  if (beta !== undefined) rows.push(["β", beta.toPrecision(6)]);
  if (method !== solver) rows.push(["method", `${method}  ${dim(why)}`]);
  rows.push(["certificate", r.certificate.text], ["engine", dim(E.description)]);
  const where = plainly ? `n = ${r.n}, p = ${r.p}` : `X on ${on}`;
  const lines = [`${bold(name)}  ${where}, seed ${seed}, solver ${solver}`, ""];
  lines.push(`${mark}: ${r.reason.text}`, "", pairs(rows));
  if (r.notes.length > 0) lines.push("", ...r.notes.map((note) => dim(`note: ${note}`)));
  if (out) lines.push("", `X is in ${out}`);
  return `${lines.join("\n")}\n`;
}
