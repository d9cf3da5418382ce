import type { Command } from "commander";
import { InputError } from "../input-error.js";

/** A workspace of the repository, which no installed package has */
const BENCH: string = "@expen/bench";
interface Bench {
  benchFromArguments(options: readonly string[]): Promise<number>;
}

/** The benchmark reads its own options: it is also run without the command line (`npm run bench`). */
export function benchCommand(program: Command): void {
  program
    .command("bench")
    .description("compare our solvers with SciPy, Pymanopt, CDOpt and others on the paper's problems")
    .allowUnknownOption()
    .argument(
      "[options...]",
      "--rows, --contenders, --repeats, --threads, --clock, --limit, --gap, --seed, --starts, --slow, --quick, --out, --resume",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  expen bench --quick\n  expen bench --rows noeig:1000x50 --contenders auto@blas,scipy-cg\n\n'npm run bench:setup' installs the Python peers once.",
    )
    .action(async (options: string[]) => {
      const { benchFromArguments }: Bench = await import(BENCH).catch(() => {
        throw new InputError(
          "bench: the installed package does not contain it; clone the repository and run 'npm run bench' there.",
        );
      });
      process.exitCode = await benchFromArguments(options);
    });
}
