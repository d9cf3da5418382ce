/** `expen pca data.csv --p 2`: the command of an application, made from its description. */
import { savePieces } from "@expen/data";
import type { Command } from "commander";
import { colours } from "../colours.js";
import { openEngineOf } from "../engine-option.js";
import { json, pairs } from "../format.js";
import { InputError } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { notNegative } from "../option-values.js";
import { progress } from "../progress.js";
import { applicationReport } from "../report/application-report.js";
import {
  addEngineChoice,
  addRunOptions,
  commonOptions,
  type RunFlags,
  solverName,
  solverNames,
} from "../run-options.js";
import { furtherOptions } from "../shared-options.js";
import { solverOptions } from "../solver-flags.js";
import { checkWritable, requireOther } from "../writable.js";
import type { Answer, ShellApplication } from "./application.js";
import { addTableOptions, contentsOf, isTable, type TableFlags } from "./files.js";
import { flagsOf } from "./flags.js";
import { type Output, outputsOf, partsOf, saveParts } from "./outputs.js";

interface ApplicationFlags extends RunFlags, TableFlags {
  solver?: string;
  out?: string[];
  report?: string;
  maxTime?: number;
}

const append = (text: string, before: string[] = []): string[] => [...before, text];

/** `prefix`: the words before the name, for the help */
export function addApplication(parent: Command, application: ShellApplication, prefix: string, hidden = false): void {
  const { name, summary, files, options, labels, points, example, takesSolver } = application;
  const command = parent.command(name, { hidden }).description(summary);
  const [main, ...others] = partsOf(application);
  for (const { name, help, repeats, optional } of files) {
    const word = `${name}${repeats ? "..." : ""}`;
    command.argument(optional ? `[${word}]` : `<${word}>`, help);
  }
  for (const option of options) for (const flag of flagsOf(option)) command.addOption(flag);
  if (labels) command.requiredOption("--labels <column>", labels);
  if (files.some(isTable)) {
    addTableOptions(command);
    if (!labels && points) command.option("--labels <column>", "column of labels, shown as colours in the report");
  }
  command
    .option(
      "--out <file>",
      `save ${main}${others.length > 0 ? `; or, by the name of the file, ${others.join(", ")}` : ""}`,
      append,
    )
    .option("--report <file>", `a page with the answer${points ? " and a scatter plot" : ""}, .html`)
    .option("--json", "write one JSON document to stdout");
  furtherOptions(command, () => {
    command.option("--quiet", "do not show progress");
    if (takesSolver) {
      command.option("--solver <name>", `solver in place of the application's own: ${solverNames.join(", ")}`);
      addRunOptions(addEngineChoice(command));
    } else {
      addEngineChoice(command).option("--max-time <seconds>", "limit of time", notNegative("max-time"));
    }
  });
  command.addHelpText("after", `\nExample:\n  ${prefix} ${name} ${example}`).action(async (...words: unknown[]) => {
    // the files, the flags, and the command itself
    const paths = words.slice(0, -2).flat() as (string | undefined)[];
    const existing = paths.filter((path) => path !== undefined);
    process.exitCode = await solve(application, existing, words.at(-2) as ApplicationFlags);
  });
}

async function solve(
  application: ShellApplication,
  paths: readonly string[],
  flags: ApplicationFlags,
): Promise<number> {
  const { name, files, options: own, takesSolver } = application;
  const outputs = await outputsOf(application, flags.out);
  await requireReport(flags.report, outputs);
  for (const { path } of outputs) await requireOther("out", path, paths);
  const { contents, labels, notes } = await contentsOf(files, paths, flags);
  const E = await openEngineOf(flags);
  const { controller, interrupted, release } = interruptible();
  const line = progress(name, {
    quiet: flags.quiet ?? false,
    constraint: "‖XᵀX−I‖",
    feasibilityOf: (s) => s.notes?.feasibility ?? 0,
  });
  try {
    const values = flags as unknown as Record<string, unknown>;
    const ofApplication = own
      .map(({ name }) => [name, values[name]] as const)
      .filter(([, value]) => value !== undefined);
    const ofRun = takesSolver
      ? { ...runOptions(flags), observe: line.see }
      : { seed: flags.seed, maxSeconds: flags.maxTime };
    const options = { ...ofRun, ...Object.fromEntries(ofApplication), engine: E, signal: controller.signal };
    const answer = await application.run(contents, options, notes);
    line.end();
    const saved = await saveParts(outputs, answer);
    if (flags.report) {
      const page = applicationReport(application, answer, { files: paths, ...(labels && { labels }) });
      await savePieces(flags.report, () => [page]);
      saved.push(`the report: ${flags.report}`);
    }
    process.stdout.write(flags.json ? json(answer.document) : answerText(application, answer, saved));
    return interrupted() ?? (answer.succeeded ? 0 : 1);
  } finally {
    line.end();
    release();
    E.dispose();
  }
}

function runOptions(flags: ApplicationFlags): object {
  const solver = solverName(flags.solver ?? "auto");
  return { ...solverOptions(solver, flags), ...(solver !== "auto" && { solver }), ...commonOptions(flags) };
}

async function requireReport(path: string | undefined, outputs: readonly Output[]): Promise<void> {
  if (path === undefined) return;
  if (!/\.html?$/i.test(path)) throw new InputError(`--report ${path}: the name must end in .html.`);
  if (outputs.some((output) => output.path === path))
    throw new InputError(`--out and --report are both ${path}; give two names.`);
  await checkWritable("report", path);
}

function answerText({ name, summary }: ShellApplication, answer: Answer, saved: readonly string[]): string {
  const { bold, green, red, dim } = colours;
  const [status, ...rest] = answer.headline.split(": ");
  const mark = answer.succeeded ? green(`✓ ${status}`) : red(`✗ ${status}`);
  const text = [`${bold(name)}  ${summary}`, "", `${mark}: ${rest.join(": ")}`, "", pairs(answer.lines)];
  if (answer.notes.length > 0) text.push("", ...answer.notes.map((note) => dim(`note: ${note}`)));
  if (saved.length > 0) text.push("", ...saved);
  return `${text.join("\n")}\n`;
}
