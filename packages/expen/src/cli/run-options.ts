import { type EngineOptions, engineNames, openEngine, spreadNames } from "@expen/engines";
import { startedAs } from "@expen/engines/mpi";
import { problems } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import { type Command, Option } from "commander";
import { InputError, oneOf } from "./input-error.js";
import { manifoldNames } from "./manifold.js";
import { anyInteger, integer, notNegative } from "./option-values.js";
import { DEFAULT_SIZE } from "./problem.js";
import { addProblemOptions } from "./problem-options.js";
import { addSolverFlags } from "./solver-flags.js";

export const PROBLEM_ARGUMENT = `one of ${[...problems.keys()].join(", ")}, or a .ts, .js or .mjs file`;
const ENGINES = ["auto", ...engineNames, ...spreadNames] as const;

/** --n, --p, --seed, --engine and --threads; `ranks`: of a command that several processes can run together */
export function addProblemChoice(command: Command, { usual = DEFAULT_SIZE, ranks = false } = {}): Command {
  command
    .option("--n <rows>", `rows of X (default: ${usual.n}, or what the data says)`, integer("n", 1))
    .option("--p <columns>", `columns of X (default: ${usual.p}, or what the data says)`, integer("p", 1))
    .option(
      "--on <manifold>",
      `where X of your own file lives, as "stiefel(n, p)"; one of ${manifoldNames.join(", ")}`,
    );
  return addEngineChoice(command, { ranks });
}

/** --seed, --engine and --threads */
export function addEngineChoice(command: Command, { ranks = false } = {}): Command {
  const names = ranks ? ENGINES : ["auto", ...engineNames];
  return command
    .option("--seed <integer>", "of the instance and the start", anyInteger("seed"), 1)
    .option("--engine <name>", `one of ${names.join(", ")}`, "auto")
    .option("--threads <count>", "threads of the engine", integer("threads", 1));
}

/** What a run takes besides */
export function addRunOptions(command: Command): Command {
  addSolverFlags(command);
  command
    .option("--tol <number>", "Riemannian gradient norm to reach (default: 1e-6)", notNegative("tol"))
    .option("--rel-tol <number>", "the same as a part of the gradient norm at the start", notNegative("rel-tol"))
    .option("--max-iter <count>", "iterations after which to give up", integer("max-iter", 0))
    .option("--max-evals <count>", "evaluations after which to give up", integer("max-evals", 0))
    .option("--max-time <seconds>", "time after which to give up", notNegative("max-time"))
    .addOption(
      new Option("--certificate <depth>", "how far the answer is certified (default: second-order)").choices([
        "stationary",
        "second-order",
      ]),
    )
    .option(
      "--certificate-budget <count>",
      "evaluations the certificate may take (default: as many as the run took gradients, at least 16)",
      integer("certificate-budget", 0),
    )
    .addOption(
      new Option("--finish <method>", "Newton steps down to the rounding floor once the tolerance is met").choices([
        "newton",
      ]),
    );
  return command;
}

export function addOutputOptions(command: Command): Command {
  command.option("--json", "one JSON document on stdout").option("--quiet", "no progress");
  addProblemOptions(command);
  return command;
}

/** Whether --engine names one of several processes, with or without an inner one */
export const isSpread = (engine: string): boolean =>
  (spreadNames as readonly string[]).includes(engine.split(":", 1)[0]!);

/** Processes of one mpirun that do not work together would do the same several times, or wait for one that never comes. */
export function requireSpread({ engine = "" }: { engine?: string }): void {
  const { size, local } = startedAs() ?? { size: 1, local: 1 };
  const processes = size ?? local;
  if (processes < 2 || isSpread(engine)) return;
  throw new InputError(
    `mpirun started ${processes} processes, which work together in 'expen solve … --engine mpi' (or mpi-data) only; ` +
      "add that, or leave mpirun out.",
  );
}

/**
 * `ranks`: a command that several processes can run together. `size` and `notes`, for `auto`: of X, where its problem may lie on a device,
 * and where it says what it took.
 */
export async function engineOf(
  { engine, threads }: { engine: string; threads?: number },
  { ranks = false, ...auto }: { ranks?: boolean } & Pick<EngineOptions, "size" | "notes"> = {},
): Promise<Engine> {
  const [named, inner] = engine.split(":", 2) as [string, string?];
  const name = oneOf("engine", named, ENGINES);
  const spread = isSpread(name);
  if (spread && !ranks) throw new InputError(`--engine ${engine}: only 'expen solve' runs on several ranks.`);
  if (inner !== undefined && !spread)
    throw new InputError(`--engine ${engine}: only ${spreadNames.join(", ")} take an inner engine.`);
  return openEngine(name, {
    ...(threads !== undefined && { threads }),
    ...(inner !== undefined && { inner: oneOf("inner engine", inner, engineNames) }),
    ...(name === "auto" && auto),
  });
}
