/** The contents of the files of an application */
import type { FileDescription } from "@expen/apps/objectives";
import { type LoadOptions, loadMatrix, loadMolecule, loadOperator } from "@expen/data";
import type { Label } from "@expen/linalg";
import type { Command } from "commander";
import { withColumns } from "../columns.js";
import { oneOf } from "../input-error.js";

/** How tables are read */
export interface TableFlags {
  columns?: string;
  gaps?: "refuse" | "drop";
  labels?: string;
}

const GAPS = ["refuse", "drop"] as const;

/** --columns and --gaps */
export function addTableOptions(command: Command): Command {
  return command
    .option("--columns <list>", "columns to read, by name or by number from 1: 1-4,7")
    .option("--gaps <what>", "refuse or drop rows with missing numbers", (text) => oneOf("--gaps", text, GAPS));
}

export const isTable = ({ holds = "matrix" }: FileDescription): boolean => holds === "matrix";

/** The contents in the order of the paths, the labels of the rows of the first, and notes on the way */
export async function contentsOf(
  files: readonly FileDescription[],
  paths: readonly string[],
  { labels, ...flags }: TableFlags,
): Promise<{ contents: unknown[]; labels: readonly Label[] | undefined; notes: string[] }> {
  const notes: string[] = [];
  const contents: unknown[] = [];
  for (const [i, path] of paths.entries()) {
    const file = files[Math.min(i, files.length - 1)]!;
    const { matrix, notes: ofFile } = await read(
      path,
      file,
      i === 0 && labels !== undefined ? { ...flags, labels } : flags,
    );
    notes.push(...ofFile.map((note) => `${path}: ${note}`));
    contents.push(matrix);
  }
  return { contents, labels: (contents[0] as { labels?: readonly Label[] }).labels, notes };
}

async function read(
  path: string,
  { holds }: FileDescription,
  { columns, gaps, labels }: TableFlags,
): Promise<{ matrix: unknown; notes: string[] }> {
  if (holds === "molecule") return { matrix: await loadMolecule(path), notes: [] };
  if (holds === "operator") return withColumns(columns, (o) => loadOperator(path, o));
  // a NaN is refused by its line, as other gaps are
  const more: LoadOptions = {
    gaps: gaps ?? "refuse",
    ...(labels !== undefined && { labels: /^\d+$/.test(labels) ? Number(labels) : labels }),
  };
  return withColumns(columns, (o) => loadMatrix(path, { ...o, ...more }));
}
