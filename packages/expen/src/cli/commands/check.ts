import { checkDerivatives, type DerivativeCheck, type Slope } from "@expen/core/check";
import type { Command } from "commander";
import { colours } from "../colours.js";
import { openEngineOf } from "../engine-option.js";
import { json, table } from "../format.js";
import { InputError, messageOf } from "../input-error.js";
import { openProblem, whereOf } from "../problem.js";
import { addProblemOptions } from "../problem-options.js";
import { addProblemChoice, PROBLEM_ARGUMENT } from "../run-options.js";

interface CheckFlags extends Record<string, unknown> {
  n?: number;
  on?: string;
  p?: number;
  seed: number;
  engine: string;
  threads?: number;
  json?: boolean;
}

/** Default sizes, small because a check takes thousands of evaluations */
const SMALL = { n: 30, p: 4 };

const EXAMPLES = `
Examples:
  expen check my-problem.ts --n 20 --p 3
  expen check brockett

The options of a problem are listed too if it is named: expen check pca --help
Exit code: 0 the derivatives are right, 1 they are not, 2 bad input.`;

export function checkCommand(program: Command): void {
  const command = program
    .command("check")
    .argument("<problem>", PROBLEM_ARGUMENT)
    .description("check the gradient and the Hessian of a problem, or of your own file, by Taylor's theorem");
  addProblemChoice(command, { usual: SMALL }).option("--json", "write one JSON document to stdout");
  addProblemOptions(command);
  command.addHelpText("after", EXAMPLES).action(async (what: string, flags: CheckFlags) => {
    process.exitCode = await check(what, flags);
  });
}

async function check(what: string, flags: CheckFlags): Promise<number> {
  const { make } = await openProblem(what, flags, undefined, hasData(flags) ? undefined : SMALL);
  const E = await openEngineOf(flags);
  try {
    const problem = make(E);
    let verdict: DerivativeCheck;
    try {
      const { bound, objective } = problem;
      verdict = checkDerivatives(bound.E, objective, { seed: flags.seed, on: bound.on });
    } catch (error) {
      throw new InputError(`${problem.name}: f or its derivatives throw: ${messageOf(error)}`);
    }
    const { n, p, name, on } = problem;
    const { seed } = flags;
    const document = { problem: name, on: on.text, n, p, seed, ...verdict };
    process.stdout.write(flags.json ? json(document) : text(`${name}  ${whereOf(on)}, seed ${seed}`, verdict));
    return verdict.passed ? 0 : 1;
  } finally {
    E.dispose();
  }
}

/** Whether a data matrix determines the sizes */
const hasData = (flags: CheckFlags): boolean => ["A", "B", "C", "G", "Y"].some((name) => flags[name] !== undefined);

function text(title: string, verdict: DerivativeCheck): string {
  const { bold, green, red } = colours;
  const slope = (s: Slope | undefined): string =>
    s === undefined ? "none" : s.slope === Number.POSITIVE_INFINITY ? "exact" : s.slope.toFixed(2);
  const rows = verdict.points.map(({ on, gradient, hessian, asymmetry }) => [
    on ? "on the manifold" : "off it",
    slope(gradient),
    slope(hessian),
    asymmetry === undefined ? "" : asymmetry.toExponential(1),
  ]);
  const lines = [bold(title), ""];
  if (rows.length > 0) {
    lines.push("Order of the error of Taylor's expansion of f, with the gradient and with the Hessian:");
    lines.push(table(["X", "gradient (2 is right)", "Hessian (3 is right)", "asymmetry"], rows), "");
  }
  lines.push(`${verdict.passed ? green("✓") : red("✗")} ${verdict.text}`);
  if (verdict.passed && !verdict.hasHessian)
    lines.push("No hvp(H, X, D) is given; runs take second derivatives from differences of the gradient.");
  return `${lines.join("\n")}\n`;
}
