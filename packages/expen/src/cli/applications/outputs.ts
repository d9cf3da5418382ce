/** Where the parts of an answer go: --out scores.csv, --out model.json, --out loadings=L.csv */
import { basename, extname } from "node:path";
import { extensions, saveMatrix, savePieces } from "@expen/data";
import { didYouMean, InputError } from "../input-error.js";
import { checkWritable } from "../writable.js";
import type { Answer, ShellApplication } from "./application.js";

/** The model, which is a JSON document, beside the matrices */
const MODEL = "model";

/** A file, and the part of the answer that goes into it */
export interface Output {
  readonly part: string;
  readonly path: string;
}

/** The parts that can be saved */
export const partsOf = ({ parts, points }: ShellApplication): string[] => [...parts, ...(points ? [MODEL] : [])];

const plainly = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, "");

/**
 * A file whose name is that of a part has this part; NAME=FILE names it; any other file has the main part. Refuses what cannot be written,
 * before anything is read.
 */
export async function outputsOf(application: ShellApplication, texts: readonly string[] = []): Promise<Output[]> {
  const { parts, name } = application;
  const known = partsOf(application);
  const outputs = texts.map((text): Output => {
    const [, label, file] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
    const path = file ?? text;
    if (label === undefined) {
      const stem = plainly(basename(path, extname(path)));
      return { path, part: known.find((part) => plainly(part) === stem) ?? parts[0]! };
    }
    const part = known.find((one) => plainly(one) === plainly(label));
    if (part) return { path, part };
    throw new InputError(
      `--out ${text}: ${name} has no '${label}'; it has ${known.join(", ")}${didYouMean(label, known)}`,
    );
  });
  const knownPaths = new Set<string>();
  for (const { path, part } of outputs) {
    if (knownPaths.has(path)) throw new InputError(`--out ${path} is given twice; give two names.`);
    knownPaths.add(path);
    const endings = part === MODEL ? [".json"] : extensions;
    if (!endings.some((ending) => path.toLowerCase().endsWith(ending))) {
      throw new InputError(
        `--out ${path}: the name must end in ${endings.length > 1 ? `one of ${endings.join(", ")}` : endings[0]}.`,
      );
    }
    await checkWritable("out", path);
  }
  return outputs;
}

/** Saves the parts; a line about each file */
export async function saveParts(outputs: readonly Output[], { matrices, model, main }: Answer): Promise<string[]> {
  const lines: string[] = [];
  for (const { part, path } of outputs) {
    if (part === MODEL) {
      await savePieces(path, () => [`${JSON.stringify(model)}\n`]);
      lines.push(`the model: ${path}`);
      continue;
    }
    const M = matrices[part];
    if (!M)
      throw new InputError(`--out ${path}: this answer has no ${part}; it has ${Object.keys(matrices).join(", ")}.`);
    await saveMatrix(path, M);
    lines.push(`${part === Object.keys(matrices)[0] ? main : part} (${M.rows}×${M.cols}): ${path}`);
  }
  return lines;
}
