/**
 * The temporary folders of a run. An interrupted benchmark ends in the middle of a timed loop that handles no signal, and its folder stays
 * until the next run removes it. Its processes end by themselves without their parent (peers/peer.py).
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeNpy } from "@expen/data";
import type { Matrix } from "@expen/linalg";

const PREFIX = "expen-bench-";

/** A new folder, with the id of this process in its name */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));

/** Writes matrices as .npy files to a new folder; returns their paths by letter. */
export function writeMatrices(matrices: Record<string, Matrix>) {
  const folder = temporaryFolder();
  const files: Record<string, string> = {};
  for (const [letter, A] of Object.entries(matrices)) {
    files[letter] = join(folder, `${letter}.npy`);
    writeFileSync(files[letter], writeNpy(A));
  }
  return { folder, files, dispose: (): void => rmSync(folder, { recursive: true, force: true }) };
}

/** Removes the folders of processes that have ended. */
export function removeLeftBehind(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !runs(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // the process runs and belongs to another user
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
