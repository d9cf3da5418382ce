/** `expen transform model.json new.csv`: a saved model on new samples */
import { readFile } from "node:fs/promises";
import { csvCell, csvText, explained, extensions, saveMatrix, savePieces } from "@expen/data";
import type { Label, Table } from "@expen/linalg";
import type { Command } from "commander";
import { addTableOptions } from "../applications/files.js";
import { colours } from "../colours.js";
import { json } from "../format.js";
import { InputError, messageOf } from "../input-error.js";
import { newSamples, type TableFlags } from "../transform/new-samples.js";
import { useOf } from "../transform/uses.js";
import { checkWritable, requireOther } from "../writable.js";

interface TransformFlags extends TableFlags {
  inverse?: true;
  predict?: true;
  out?: string;
  quiet?: true;
}

const EXAMPLES = `
A model is saved by its application: expen pca data.csv --p 2 --out model.json
Columns are found by their names. Without --out the answer goes to stdout, as CSV.

Examples:
  expen transform model.json new.csv --out scores.csv
  expen transform model.json scores.csv --inverse
  expen transform model.json new.csv --predict`;

/** Files that can hold classes, which may be texts */
const OF_LABELS: readonly string[] = [".csv", ".tsv", ".txt", ".json"];

export function transformCommand(program: Command): void {
  const command = program
    .command("transform")
    .description("compute scores or classes of new samples, by a model that an application has saved")
    .argument("<model>", "the model, .json")
    .argument("<data...>", "new samples, one a row; of cca the two sets of variables")
    .option("--inverse", "map scores back to samples")
    .option("--predict", "compute the class of each sample, by a model of discriminant");
  addTableOptions(command)
    .option("--out <file>", "file for the answer")
    .option("--quiet", "do not print notes")
    .addHelpText("after", EXAMPLES)
    .action((model: string, paths: string[], flags: TransformFlags) => transform(model, paths, flags));
}

async function transform(modelPath: string, paths: readonly string[], flags: TransformFlags): Promise<void> {
  const { inverse, predict, out, quiet } = flags;
  if (inverse && predict) throw new InputError("--inverse and --predict exclude each other; give one of the two.");
  if (out !== undefined) {
    await requireOutput(out, predict === true);
    await requireOther("out", out, [modelPath, ...paths]);
  }
  const use = useOf(modelPath, await readModel(modelPath), inverse ? "inverse" : predict ? "predict" : "transform");
  if (paths.length > use.files.length) {
    const most = use.files.length === 1 ? "one file of samples" : `${use.files.length} files of samples`;
    throw new InputError(`${modelPath} takes ${most}, not ${paths.length}.`);
  }
  const tables: Table[] = [];
  const notes: string[] = [];
  for (const [i, path] of paths.entries()) {
    const loaded = await newSamples(path, use.files[i], flags);
    tables.push(loaded.matrix);
    notes.push(...loaded.notes.map((note) => `${path}: ${note}`));
  }
  const answer = use.run(tables);
  if (!quiet) for (const note of notes) process.stderr.write(`${colours.dim(`note: ${note}`)}\n`);
  if (out === undefined) {
    for (const piece of isTable(answer) ? csvText(answer) : [labelsText(answer)]) process.stdout.write(piece);
    return;
  }
  if (isTable(answer)) await saveMatrix(out, answer);
  else await savePieces(out, () => [out.toLowerCase().endsWith(".json") ? json(answer) : labelsText(answer)]);
  const size = isTable(answer) ? `${answer.rows}×${answer.cols}` : String(answer.length);
  process.stdout.write(`${use.what} (${size}): ${out}\n`);
}

const isTable = (answer: Table | readonly Label[]): answer is Table => "data" in answer;
const labelsText = (labels: readonly Label[]): string =>
  `class\n${labels.map((label) => `${csvCell(String(label))}\n`).join("")}`;

async function readModel(path: string) {
  if (!path.toLowerCase().endsWith(".json")) {
    throw new InputError(
      `${path} is no model; the model comes first, as expen pca data.csv --p 2 --out model.json saves it.`,
    );
  }
  const { Model } = await import("@expen/apps");
  return explained(path, async () => {
    const text = await readFile(path, "utf8");
    try {
      return Model.fromJSON(text);
    } catch (error) {
      throw new InputError(messageOf(error).replace("Model.fromJSON: ", ""), { cause: error });
    }
  });
}

async function requireOutput(path: string, ofLabels: boolean): Promise<void> {
  const endings = ofLabels ? OF_LABELS : extensions;
  if (!endings.some((ending) => path.toLowerCase().endsWith(ending)))
    throw new InputError(`--out ${path}: the name must end in one of ${endings.join(", ")}.`);
  await checkWritable("out", path);
}
