/** `expen app <name> <files>`: applications on data files. The description of each makes its arguments and options. */

import type { Description, FileDescription, OptionDescription } from "@expen/apps/objectives";
import { descriptions } from "@expen/apps/objectives";
import type { LoadOptions } from "@expen/data";
import { loadMatrix, loadMolecule, loadOperator, saveMatrix } from "@expen/data";
import { type Command, Option } from "commander";
import { colours } from "../colours.js";
import { withColumns } from "../columns.js";
import { openEngineOf } from "../engine-option.js";
import { duration, json, pairs, small, value } from "../format.js";
import { InputError, oneOf } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { integer, list, real } from "../option-values.js";
import { otherSpelling } from "../problem-options.js";
import { progress } from "../progress.js";
import { runDocument, succeeded, successOf } from "../run-document.js";
import {
  addEngineChoice,
  addRunOptions,
  commonOptions,
  type RunFlags,
  solverName,
  solverNames,
} from "../run-options.js";
import { solverOptions } from "../solver-flags.js";
import { checkWritable } from "../writable.js";

interface AppFlags extends RunFlags {
  solver?: string;
  columns?: string;
  gaps?: "refuse" | "drop";
  labels?: string;
  out?: string;
}

const EXAMPLES = `
Examples:
  expen app pca data.csv --p 3 --out components.npy
  expen app discriminant iris.csv --labels 5 --p 2
  expen app jointdiag A1.csv A2.csv A3.csv --json

'expen app <name> --help' lists the options of an application.`;

export function appCommand(program: Command): void {
  const command = program
    .command("app")
    .description("run an application on data files: PCA, ICA, canonical correlations, …");
  for (const one of descriptions) addApplication(command, one);
  command.addHelpText("after", EXAMPLES);
}

function addApplication(parent: Command, application: Description): void {
  const { name, summary, files, options } = application;
  const command = parent.command(name).description(summary);
  for (const { name, help, repeats } of files) command.argument(repeats ? `<${name}...>` : `<${name}>`, help);
  for (const option of options) for (const flag of flagsOf(option)) command.addOption(flag);
  if (application.labels) command.requiredOption("--labels <column>", application.labels);
  if (files.some(isTable)) {
    command.option("--columns <list>", "columns of the files to read, by name or by number from 1: 1-4,7");
    command.addOption(
      new Option("--gaps <what>", "rows with missing numbers are refused or left out").choices(["refuse", "drop"]),
    );
  }
  command.option("--solver <name>", `solver in place of the application's own: ${solverNames.join(", ")}`);
  addRunOptions(addEngineChoice(command))
    .option("--out <file>", "file to save the main result in")
    .option("--json", "write one JSON document to stdout")
    .option("--quiet", "do not show progress")
    .addHelpText(
      "after",
      `\nThe options of a solver are listed too if it is named: expen app ${name} --solver rcg --help`,
    )
    .action(async (...words: unknown[]) => {
      // the files, the flags, and the command itself
      const paths = words.slice(0, -2).flat() as string[];
      process.exitCode = await solve(application, paths, words.at(-2) as AppFlags);
    });
}

const isTable = ({ holds = "matrix" }: FileDescription): boolean => holds === "matrix";

/** British spellings and the American ones, which work and are not listed */
const SPELLINGS: Readonly<Record<string, string>> = { centre: "center", standardise: "standardize" };

function flagsOf({ name, type, help, choices, required, default: on }: OptionDescription): Option[] {
  const flag = (text: string): Option => new Option(text, help).makeOptionMandatory(required === true);
  const other = SPELLINGS[name];
  switch (type) {
    case "boolean":
      return [
        on ? new Option(`--no-${name}`, `do not ${help}`) : flag(`--${name}`),
        ...(on ? [new Option(`--${name}`).hideHelp()] : []),
        ...(other ? [otherSpelling(`--${other}`, name, true)] : []),
        ...(other && on ? [otherSpelling(`--no-${other}`, name, false)] : []),
      ];
    case "choice":
      return [flag(`--${name} <${choices!.join("|")}>`).argParser((text) => oneOf(`--${name}`, text, choices!))];
    case "integers":
      return [flag(`--${name} <list>`).argParser((text) => list(text).map(integer(name, 1)))];
    case "integer":
      return [flag(`--${name} <number>`).argParser(integer(name, 1))];
    case "number":
      return [flag(`--${name} <number>`).argParser(real(name))];
  }
}

async function solve(application: Description, paths: readonly string[], flags: AppFlags): Promise<number> {
  const { name, summary, files, options: own } = application;
  if (flags.out) await checkWritable("out", flags.out);
  const solver = solverName(flags.solver ?? "auto");
  const chosen = { ...solverOptions(solver, flags), ...(solver !== "auto" && { solver }) };
  const ofApplication = own.flatMap(({ name }) => {
    const value = (flags as unknown as Record<string, unknown>)[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const notes: string[] = [];
  const contents: unknown[] = [];
  for (const [i, path] of paths.entries()) {
    contents.push(
      await contentsOf(
        path,
        files[Math.min(i, files.length - 1)]!,
        i === 0 ? flags : { ...flags, labels: undefined },
        notes,
      ),
    );
  }
  const E = await openEngineOf(flags);
  const { controller, interrupted, release } = interruptible();
  const line = progress(name, {
    quiet: flags.quiet ?? false,
    constraint: "‖XᵀX−I‖",
    feasibilityOf: (s) => s.notes?.feasibility ?? 0,
  });
  try {
    const { run, saved, lines, numbers } = await application.run(contents, {
      ...chosen,
      ...commonOptions(flags),
      ...Object.fromEntries(ofApplication),
      engine: E,
      signal: controller.signal,
      observe: line.see,
    });
    line.end();
    run.notes.unshift(...notes);
    const { matrix } = saved;
    if (flags.out) await saveMatrix(flags.out, matrix);
    if (flags.json) process.stdout.write(json({ ...runDocument(name, run), answer: numbers }));
    else {
      const { bold, green, red, dim } = colours;
      const mark = succeeded(run) ? green(`✓ ${successOf(run)}`) : red(`✗ ${run.status}`);
      const rows: (readonly [string, string])[] = [
        ...lines,
        ["f(X)", value(run.fval)],
        ["‖grad f‖", small(run.stationarity)],
        ["iterations", `${run.iterations}, ${run.evaluations.f} evaluations, ${duration(run.seconds)}`],
        ["certificate", run.certificate.text],
      ];
      const text = [`${bold(name)}  ${summary}`, "", `${mark}: ${run.reason.text}`, "", pairs(rows)];
      const further = run.notes.filter((note) => note !== run.reason.text);
      if (further.length > 0) text.push("", ...further.map((note) => dim(`note: ${note}`)));
      if (flags.out) text.push("", `${saved.name} (${matrix.rows}×${matrix.cols}): ${flags.out}`);
      process.stdout.write(`${text.join("\n")}\n`);
    }
    return interrupted() ?? (succeeded(run) ? 0 : 1);
  } finally {
    line.end();
    release();
    E.dispose();
  }
}

async function contentsOf(path: string, file: FileDescription, flags: AppFlags, notes: string[]): Promise<unknown> {
  if (file.holds === "molecule") return loadMolecule(path);
  const { columns, gaps, labels } = flags;
  const more = {
    ...(gaps && { gaps }),
    ...(labels !== undefined && { labels: /^\d+$/.test(labels) ? Number(labels) : labels }),
  };
  const load = (o: LoadOptions) =>
    file.holds === "operator" ? loadOperator(path, o) : loadMatrix(path, { ...o, ...more });
  const { matrix, notes: ofFile } = await withColumns(columns, load);
  notes.push(...ofFile.map((note) => `${path}: ${note}`));
  return matrix;
}

/** Options of the former `solve --app` whose names have changed, by application */
const FORMER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  rotation: { "--rotation": ["--kind"] },
  "mean-rotation": { "--average": ["--kind"] },
  "robust-pca": { "--no-centre": ["--centre", "none"], "--no-center": ["--centre", "none"] },
};

/** The words, with the former `expen solve --app NAME …` rewritten as `expen app NAME …` */
export function withoutAlias(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === "--app" || word.startsWith("--app="));
  if (words[0] !== "solve" || at < 0) return words;
  const apart = words[at] === "--app";
  const name = apart ? words[at + 1] : words[at]!.slice("--app=".length);
  if (!name) throw new InputError("--app: name an application; 'expen app --help' lists them.");
  const rest = [...words.slice(1, at), ...words.slice(at + (apart ? 2 : 1))];
  return ["app", name, ...rest.flatMap((word) => FORMER[name]?.[word] ?? [word])];
}
