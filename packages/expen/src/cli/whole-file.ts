/** Files that are there whole or not at all: written beside their place, brought to the disk, then renamed into it. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const MARK = ".partial";

/** Where this process writes what will be `path` */
const partialOf = (path: string): string => `${path}.${process.pid}${MARK}`;

/** Writes it beside its place and to the disk: that the disk is full may be noticed only then. */
function writePartial(path: string, text: string): void {
  const file = openSync(partialOf(path), "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** All of them, or none, unless the process is killed between two renames. */
export function writeWhole(texts: Record<string, string>): void {
  const paths = Object.keys(texts);
  try {
    for (const path of paths) writePartial(path, texts[path]!);
    for (const path of paths) renameSync(partialOf(path), path);
  } catch (error) {
    for (const path of paths) rmSync(partialOf(path), { force: true });
    throw error;
  }
}

/** Takes away what killed processes have left of this file; to be called by the only one that writes it. */
export function clearPartials(path: string): void {
  const start = path.slice(join(dirname(path), "/").length);
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${start}.`) && name.includes(MARK)) rmSync(join(dirname(path), name), { force: true });
  }
}
