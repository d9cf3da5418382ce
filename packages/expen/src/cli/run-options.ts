/** The options that commands share: the problem and its size, the engine, the solver, the limits of a run, the output. */
import type { StiefelOptions } from "@expen/core";
import { engineNames } from "@expen/engines";
import { problems } from "@expen/experiments/problems";
import { type SolverName, solvers } from "@expen/solvers";
import { type Command, Option } from "commander";
import { ENGINES } from "./engine-option.js";
import { oneOf } from "./input-error.js";
import { manifoldNames } from "./manifold.js";
import { anyInteger, integer, notNegative } from "./option-values.js";
import { DEFAULT_SIZE } from "./problem.js";
import { addProblemOptions } from "./problem-options.js";
import { addSolverFlags, type SolverFlags } from "./solver-flags.js";

export const PROBLEM_ARGUMENT: string = `one of ${[...problems.keys()].join(", ")}, or a .ts, .js or .mjs file`;

export const solverNames = Object.keys(solvers) as SolverName[];
export const solverName = (text: string): SolverName => oneOf("solver", text, solverNames);

/** --n, --p, --seed, --engine and --threads; `ranks`: of a command that several processes can run together */
export function addProblemChoice(
  command: Command,
  { usual = DEFAULT_SIZE, ranks = false }: { usual?: typeof DEFAULT_SIZE; ranks?: boolean } = {},
): Command {
  command
    .option("--n <rows>", `rows of X (default: ${usual.n}, or as many as the data have)`, integer("n", 1))
    .option("--p <columns>", `columns of X (default: ${usual.p}, or as many as the data have)`, integer("p", 1))
    .option(
      "--on <manifold>",
      `manifold of X in your own file: "stiefel(n, p)", or ${manifoldNames.slice(1).join(", ")}`,
    );
  return addEngineChoice(command, { ranks });
}

/** --seed, --engine and --threads */
export function addEngineChoice(command: Command, { ranks = false }: { ranks?: boolean } = {}): Command {
  const names = ranks ? ENGINES : ["auto", ...engineNames];
  return command
    .option("--seed <integer>", "seed of the random data and the random start", anyInteger("seed"), 1)
    .option("--engine <name>", `one of ${names.join(", ")}`, "auto")
    .option("--threads <count>", "threads of the engine", integer("threads", 1));
}

/** An option of every run: its flag, the option of the library, the help, and how its text is read or the texts that it may be */
type RunOption = readonly [string, keyof StiefelOptions, string, ((text: string) => number) | readonly string[]];

const RUN_OPTIONS: readonly RunOption[] = [
  ["--tol <number>", "tol", "norm of the Riemannian gradient to reach (default: 1e-6)", notNegative("tol")],
  ["--rel-tol <number>", "relTol", "the same, relative to the norm at the start", notNegative("rel-tol")],
  ["--max-iter <count>", "maxIterations", "limit of iterations", integer("max-iter", 0)],
  ["--max-evals <count>", "maxEvaluations", "limit of evaluations", integer("max-evals", 0)],
  ["--max-time <seconds>", "maxSeconds", "limit of time", notNegative("max-time")],
  [
    "--certificate <depth>",
    "certificate",
    "brief: a quarter of the run's evaluations, or 7; second-order: as many as that takes; stationary: none (default: brief)",
    ["brief", "second-order", "stationary"],
  ],
  [
    "--certificate-budget <count>",
    "certificateBudget",
    "evaluations of the certificate (default: a quarter of the run's, or 7)",
    integer("certificate-budget", 0),
  ],
  ["--finish <method>", "finish", "Newton steps down to roundoff after the tolerance is reached", ["newton"]],
];

export function addRunOptions(command: Command): Command {
  for (const [flags, , help, values] of RUN_OPTIONS) {
    const option = new Option(flags, help);
    command.addOption(typeof values === "function" ? option.argParser(values) : option.choices(values));
  }
  addSolverFlags(command);
  return command;
}

/** The options of a run that `solve` and `compare` share, as commander keeps them; beside them those of RUN_OPTIONS */
export interface RunFlags extends SolverFlags {
  n?: number;
  p?: number;
  on?: string;
  seed: number;
  engine: string;
  threads?: number;
  certificate?: "brief" | "second-order" | "stationary";
  start?: string;
  quiet?: boolean;
  json?: boolean;
}

/** The flags of a run as options of the library, whatever the solver. */
export function commonOptions(flags: RunFlags): StiefelOptions {
  const values = flags as unknown as Record<string, unknown>;
  const options = RUN_OPTIONS.flatMap(([text, option]) => {
    const value = values[new Option(text).attributeName()];
    return value === undefined ? [] : [[option, value] as const];
  });
  return { seed: flags.seed, ...Object.fromEntries(options) };
}

export function addOutputOptions(command: Command): Command {
  command.option("--json", "write one JSON document to stdout").option("--quiet", "do not show progress");
  addProblemOptions(command);
  return command;
}
