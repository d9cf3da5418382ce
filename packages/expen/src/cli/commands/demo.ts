/** `expen demo`, which `npm start` runs: solves, certifies, compares with the numbers printed in the paper, names commands to try next. */
import { existsSync } from "node:fs";
import type { Result, StiefelOptions } from "@expen/core";
import { drain } from "@expen/core";
import { paperRow } from "@expen/experiments/paper";
import { problems } from "@expen/experiments/problems";
import type { SolverName } from "@expen/solvers";
import { solveStiefel } from "@expen/solvers";
import type { Command } from "commander";
import { colours } from "../colours.js";
import { openEngineOf } from "../engine-option.js";
import { duration, small, table } from "../format.js";
import { succeeded } from "../run-document.js";

const CASES = [
  { problem: "noeig", table: "noeig-p", n: 1000, p: 10 },
  { problem: "noeig", table: "noeig-n", n: 250, p: 50 },
  { problem: "brockett", table: "brockett-p", n: 1000, p: 10 },
] as const;
const SOLVERS: { name: SolverName; options: StiefelOptions }[] = [
  { name: "expen-cg", options: { beta: "paper" } },
  { name: "auto", options: {} },
];
/** the paper's tolerance */
const TOLERANCE = 1e-3;

export function demoCommand(program: Command): void {
  program
    .command("demo")
    .description("solve three problems and compare the results with the paper's")
    .option("--engine <name>", "as for solve", "auto")
    .addHelpText("after", "\nExample:\n  expen demo")
    .action(async (flags: { engine: string }) => {
      process.exitCode = await demo(flags);
    });
}

async function demo(flags: { engine: string }): Promise<number> {
  const { bold, dim } = colours;
  const say = (text = ""): void => void process.stdout.write(`${text}\n`);
  const E = await openEngineOf(flags);
  let good = true;
  try {
    say(bold("expen: minimise f(X) over matrices with orthonormal columns, XᵀX = I"));
    say(dim(`engine ${E.description}`));
    for (const { problem, table: id, n, p } of CASES) {
      const paper = paperRow(id, n, p, "ExPen-CG")!;
      const instance = problems.get(problem)!.make(E, { n, p, seed: 1 });
      say();
      say(`${bold(problem)}  n = ${n}, p = ${p}   ${dim(instance.title)}`);
      const rows = [
        [
          "the paper's ExPen-CG",
          paper.fval.toPrecision(7),
          String(paper.iterations),
          "",
          small(paper.stationarity),
          small(paper.feasibility),
          duration(paper.seconds),
        ],
      ];
      let last: Result | undefined;
      for (const { name, options } of SOLVERS) {
        const runOptions = { ...options, solver: name, tol: TOLERANCE, seed: 1, optimum: instance.optimum };
        last = await drain(solveStiefel(E, instance.objective, runOptions));
        good &&= succeeded(last);
        rows.push([
          name === "auto" ? "auto (default)" : `${name} --beta paper`,
          last.fval.toPrecision(7),
          String(last.iterations),
          String(last.evaluations.f),
          small(last.stationarity),
          small(last.feasibility),
          duration(last.seconds),
        ]);
      }
      say(table(["", "f(X)", "iterations", "evaluations", "‖grad f‖", "‖XᵀX − I‖", "time"], rows));
      say(`certificate: ${last!.certificate.text}`);
      if (problem === "brockett")
        say(dim("The paper's random B and C are not known: compare iterations and time there, not f."));
    }
  } finally {
    E.dispose();
  }
  say();
  say("Try next:");
  for (const [command, what] of [
    ["npx expen reproduce all --quick", "the paper's tables and figure as a report"],
    ["npx expen compare noeig --solvers all", "the solvers against each other"],
    ["npx expen pca data.csv --p 3", "principal components of your data"],
    ["npx expen doctor", "which engine you have and how to get a faster one"],
    ["npx expen --help", "everything else"],
  ] as const) {
    say(`  ${command.padEnd(42)} ${dim(what)}`);
  }
  if (existsSync("report/report.html")) say("\nThe report of your last 'expen reproduce' is report/report.html");
  return good ? 0 : 1;
}
