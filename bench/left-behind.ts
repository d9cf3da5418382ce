/**
 * The temporary folders of a run. A benchmark that is interrupted dies at once, in the middle of a timed loop that hears no signal, and
 * leaves its folder behind: the next one takes it away. Its processes end by themselves when they have lost their parent (peers/peer.py).
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "expen-bench-";

/** A new one, with the number of this process in its name */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));

/** Takes away the folders of processes that are no more. */
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
    // it runs, but is another user's
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
