/** `expen`: parses a command line, calls the library, prints. */
import { createRequire } from "node:module";
import { startedAs } from "@expen/engines/mpi";
import { problems } from "@expen/experiments/problems";
import { Command, CommanderError } from "commander";
import { appCommands, withoutAlias } from "./commands/app.js";
import { benchCommand } from "./commands/bench.js";
import { checkCommand } from "./commands/check.js";
import { compareCommand } from "./commands/compare.js";
import { demoCommand } from "./commands/demo.js";
import { doctorCommand } from "./commands/doctor.js";
import { playgroundCommand } from "./commands/playground.js";
import { reproduceCommand } from "./commands/reproduce.js";
import { solveCommand } from "./commands/solve.js";
import { transformCommand } from "./commands/transform.js";
import { requireSpread } from "./engine-option.js";
import { messageOf } from "./input-error.js";
import { commandOf, strayOption, unknownCommand, unknownOption } from "./near.js";
import { requireOneSpelling } from "./problem-options.js";
import { say, turnToSpeak } from "./rank-voice.js";
import { HELP_ALL, listedOptions } from "./shared-options.js";

const { version } = createRequire(import.meta.url)("expen/package.json") as { version: string };

/** Runs one command line, the words after `expen`; returns the exit code. */
export async function expen(words: string[]): Promise<number> {
  process.exitCode = 0;
  const program = commandLine(words);
  try {
    const rest = withoutAlias(words).map((word) => (word === HELP_ALL ? "--help" : word));
    await program.parseAsync(rest, { from: "user" });
    return Number(process.exitCode);
  } catch (error) {
    const turn = await turnToSpeak();
    const parsing = error instanceof CommanderError ? error : undefined;
    // help was printed
    if (parsing?.exitCode === 0 || parsing?.code === "commander.help") return parsing.exitCode && 2;
    if ("name" in turn)
      await say(`expen: ${turn.name}${parsing ? sentence(parsing.message, program, words) : messageOf(error)}\n`);
    else if (turn.silent === "ended") return 0;
    if (process.env.EXPEN_DEBUG) console.error(error);
    return parsing || isInput(error) ? 2 : 1;
  }
}

function commandLine(words: readonly string[]): Command {
  const program = new Command("expen")
    .description(
      "Minimise smooth functions over matrices with orthonormal columns (XᵀX = I). Every answer has a certificate.",
    )
    .version(version)
    .showSuggestionAfterError(false)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false, visibleOptions: listedOptions(words) })
    .configureOutput({
      outputError: () => undefined,
      writeOut: ofFirst(process.stdout),
      writeErr: ofFirst(process.stderr),
    })
    .exitOverride()
    .hook("preAction", (_program, command) => {
      requireOneSpelling(command.opts());
      requireSpread(command.opts());
    })
    .addHelpText(
      "after",
      `
Examples:
  expen solve noeig --n 1000 --p 10          solve, project, certify
  expen pca data.csv --p 3                   an application on data files; expen apps lists all
  expen compare brockett --solvers all       solvers against each other
  expen reproduce all --quick                the paper's tables and figure as a report
  expen check my-problem.ts                  compare derivatives with f
  expen doctor                               engines and their speed

'expen <command> --help' lists its options and more examples.`,
    );

  solveCommand(program);
  appCommands(program);
  transformCommand(program);
  compareCommand(program);
  reproduceCommand(program, version);
  checkCommand(program);
  doctorCommand(program);
  demoCommand(program);
  benchCommand(program);
  playgroundCommand(program);
  for (const command of program.commands) {
    for (const one of [command, ...command.commands]) one.exitOverride().showSuggestionAfterError(false);
  }
  return program;
}

/** Writes on rank 0 alone: all ranks would write the same text. */
const ofFirst = (stream: NodeJS.WriteStream) => (text: string) =>
  void ((startedAs()?.rank ?? 0) === 0 && stream.write(text));

/** Commander's messages in the form of all others: "unknown command 'slove'; did you mean solve?" */
function sentence(message: string, program: Command, words: readonly string[]): string {
  const text = message.replace(/^error: /, "");
  const group = program.commands.find((one) => one.name() === "app" && words[0] === "app");
  const [, name] = /^unknown command '(.*)'$/.exec(text) ?? [];
  if (name !== undefined) return unknownCommand(name, group ?? program, problems.keys());
  const command = commandOf(program, withoutAlias(words));
  // commander looks for missing options first: the wrong one may be meant for it
  const stray = /^required option/.test(text) ? strayOption(command, words) : undefined;
  const flag = stray ?? /^unknown option '(.*)'$/.exec(text)?.[1];
  if (flag !== undefined) return unknownOption(flag, command);
  return text
    .replace(/^missing required argument '(.*)'$/, "the argument <$1> is missing; add --help to see what it is.")
    .replace(/^required option '(.*)' not specified$/, "the option $1 is missing; add --help to see what it is.")
    .replace(/^option '(.*)' argument missing$/, "the option $1 has no value; add --help to see what it takes.")
    .replace(
      /^option '(.*?)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/,
      "the option $1 is '$2', which is invalid; it must be one of $3.",
    )
    .replace(
      /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/,
      "$1 takes $2 argument(s), not $3.",
    );
}

/** Whether the library refused its input: an error before a run begins */
function isInput(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as Error;
  // an engine that fails during a run counts as one that cannot be opened
  if (name === "ObjectiveError" && (cause as Error | undefined)?.name === "EngineError") return true;
  return ["InputError", "ProblemError", "DataError", "EngineError", "MemoryError", "RangeError", "TapeError"].includes(
    name,
  );
}
