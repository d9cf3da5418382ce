/** Files that are complete or do not exist: each is written under another name, flushed to the disk, then renamed. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const MARK = ".partial";

/** The name under which this process writes `path` at first */
const partialOf = (path: string): string => `${path}.${process.pid}${MARK}`;

/** Writes and flushes the file under its first name; a full disk may be noticed only at the flush. */
function writePartial(path: string, text: string): void {
  const file = openSync(partialOf(path), "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes all of the files or none, unless the process is killed between two renames. */
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

/** Removes parts of this file that killed processes have left. Only one process at a time may write the file. */
export function clearPartials(path: string): void {
  const start = path.slice(join(dirname(path), "/").length);
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${start}.`) && name.includes(MARK)) rmSync(join(dirname(path), name), { force: true });
  }
}
