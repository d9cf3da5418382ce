/** `expen solve --app <name> <files>`: an application on data from files. */
import { type Command, Option } from "commander";
import { loadMatrix, saveMatrix } from "../../src/data/load.js";
import { problems } from "../../src/problems/catalog.js";
import type { StiefelOptions } from "../../src/run/options.js";
import type { Engine, Matrix } from "../../src/types.js";
import type { ApplicationEntry, ApplicationFlags } from "../application-entry.js";
import { applications, averageNames, rotationNames } from "../applications.js";
import { colours } from "../colours.js";
import { withColumns } from "../columns.js";
import { duration, json, pairs, small, value } from "../format.js";
import { InputError, oneOf } from "../input-error.js";
import { interruptible } from "../interrupt.js";
import { integer, real } from "../option-values.js";
import { otherSpelling } from "../problem-options.js";
import { progress } from "../progress.js";
import { runDocument, succeeded, successOf } from "../run.js";

const HEADING = "Applications:";
const names = Object.keys(applications);
const OWN = [
  "standardise",
  "delta",
  "contrast",
  "labels",
  "rotation",
  "reflections",
  "scaling",
  "largest",
  "ranks",
  "average",
] as const;

/** What the command line carries for an application beside the options of every run */
export interface AppFlags extends ApplicationFlags {
  app: string;
  columns?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

export function addAppOptions(command: Command): void {
  const option = (flags: string, help: string): Option => new Option(flags, help).helpGroup(HEADING);
  command
    .addOption(option("--app <name>", `an application on data files: ${names.join(", ")}`))
    .addOption(option("--standardise", "divide columns by their standard deviation (pca, sparse-pca)"))
    .addOption(otherSpelling("--standardize", "standardise", true))
    .addOption(option("--delta <number>", "where distances turn linear (robust-pca)").argParser(real("delta")))
    .addOption(option("--contrast <name>", "logcosh or kurtosis (ica)"))
    .addOption(
      option("--labels <column>", "column of the classes, from 1 (discriminant)").argParser(integer("labels", 1)),
    )
    .addOption(option("--rotation <name>", `${rotationNames.join(", ")} (rotation)`))
    .addOption(option("--reflections", "allow them (align)"))
    .addOption(option("--scaling", "allow a change of size (align)"))
    .addOption(option("--largest", "the largest eigenvalues instead of the smallest (eigen)"))
    .addOption(option("--ranks <list>", "columns of the three bases, as in 3,2,2 (tucker)"))
    .addOption(option("--average <name>", `${averageNames.join(", ")} (mean-rotation)`));
}

/** Options that only applications have, given without --app */
export function refuseAppOptions(flags: object): void {
  for (const name of OWN) {
    if (name in flags) throw new InputError(`--${name} is an option of applications; say --app and which one.`);
  }
}

export async function solveApp(
  paths: readonly string[],
  flags: AppFlags,
  common: StiefelOptions,
  openEngine: () => Promise<Engine>,
): Promise<number> {
  const name = oneOf("application", flags.app, names);
  const entry = applications[name]!;
  checkFlags(name, entry, flags);
  checkFiles(name, entry, paths);
  const notes: string[] = [];
  const files: Matrix[] = [];
  for (const path of entry.readsFiles ? [] : paths) {
    const { matrix, notes: said } = await withColumns(flags.columns, (options) => loadMatrix(path, options));
    notes.push(...said.map((note) => `${path}: ${note}`));
    files.push(matrix);
  }
  const E = await openEngine();
  const { controller, interrupted, release } = interruptible();
  const line = progress(name, {
    quiet: flags.quiet ?? false,
    constraint: "‖XᵀX−I‖",
    feasibilityOf: (s) => s.notes?.feasibility ?? 0,
  });
  try {
    const options = { ...common, engine: E, signal: controller.signal, observe: line.see };
    const answer = await entry.solve(files, numeric(flags), options, paths);
    line.end();
    const { run, main, mainName, lines, numbers } = answer;
    run.notes.unshift(...notes);
    if (flags.out) await saveMatrix(flags.out, main);
    if (flags.json) process.stdout.write(json({ ...runDocument(name, run), answer: numbers }));
    else {
      const { bold, green, red, dim } = colours;
      const mark = succeeded(run) ? green(`✓ ${successOf(run)}`) : red(`✗ ${run.status}`);
      const rows: [string, string][] = [
        ...lines,
        ["f(X)", value(run.fval)],
        ["‖grad f‖", small(run.stationarity)],
        ["iterations", `${run.iterations}, ${run.evaluations.f} evaluations, ${duration(run.seconds)}`],
        ["certificate", run.certificate.text],
      ];
      const text = [`${bold(name)}  ${entry.summary}`, "", `${mark}: ${run.reason.text}`, "", pairs(rows)];
      if (run.notes.length > 0) text.push("", ...run.notes.map((note) => dim(`note: ${note}`)));
      if (flags.out) text.push("", `${mainName} (${main.rows}×${main.cols}): ${flags.out}`);
      process.stdout.write(`${text.join("\n")}\n`);
    }
    return interrupted() ?? (succeeded(run) ? 0 : 1);
  } finally {
    line.end();
    release();
    E.dispose();
  }
}

/** Options of the problems come as text. */
function numeric(flags: AppFlags): ApplicationFlags {
  const { weight, rotation } = flags as { weight?: unknown; rotation?: string };
  if (rotation !== undefined) oneOf("--rotation", rotation, rotationNames);
  return {
    ...flags,
    ...(weight !== undefined && { weight: real("weight")(String(weight)) }),
  };
}

function checkFlags(name: string, entry: ApplicationEntry, flags: AppFlags): void {
  const matrices = entry.files.length > 0 && !entry.readsFiles;
  const takes: readonly string[] = [...entry.options, ...(matrices ? ["columns"] : [])];
  const known = new Set([
    ...OWN,
    "columns",
    "n",
    "p",
    ...[...problems.values()].flatMap((p) => p.options.map((o) => o.name)),
  ]);
  for (const option of known) {
    if ((flags as unknown as Record<string, unknown>)[option] === undefined || takes.includes(option)) continue;
    const has = takes.map((o) => `--${o}`).join(", ");
    throw new InputError(`application ${name} has no option --${option}; it has ${has || "none of its own"}.`);
  }
}

function checkFiles(name: string, { files, repeats }: ApplicationEntry, paths: readonly string[]): void {
  const enough = repeats ? paths.length >= files.length : paths.length === files.length;
  if (enough) return;
  const wanted = files.length === 0 ? "no file" : `${files.join("; ")}${repeats ? "; and more of them" : ""}`;
  throw new InputError(`application ${name} takes ${wanted}; ${paths.length} given.`);
}
