/** One process at a time: a file with the name of the one that holds it, which a killed process leaves behind and the next one takes. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { InputError } from "./input-error.js";

/** Process number and, where the system tells it (Linux), when it began: numbers are used again. */
function nameOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // alive, but another user's
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  try {
    // the name of the program, in brackets, may have spaces
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return `${pid} ${fields[19]}`;
  } catch {
    return String(pid);
  }
}

/** Takes the lock, or says in a sentence who has it; returns what gives it back. */
export function lock(path: string, what: string): () => void {
  const own = nameOf(process.pid)!;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, own, { flag: "wx" });
      removeRemains(leftOf(path), what);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = read(path);
    const pid = Number.parseInt(holder, 10);
    if (holder !== own && pid > 0 && nameOf(pid) === holder) {
      throw new InputError(`${what} is in use by process ${pid}; wait for it, or choose another place.`);
    }
    if (holder === "" && isFresh(path)) continue;
    removeLeft(path, holder, what);
  }
  throw new InputError(`${what} is in use by another process; wait for it, or choose another place.`);
}

/** The lock of those who remove a lock that was left */
const leftOf = (path: string): string => `${path}.left`;

/** A process that was killed between removing a left lock and giving back the lock for that has left the second. */
function removeRemains(path: string, what: string): void {
  if (!existsSync(path)) return;
  try {
    lock(path, what)();
  } catch (error) {
    // another process is about to see that this lock is taken
    if (!(error instanceof InputError)) throw error;
  }
}

/**
 * Removes what a killed process left, one process at a time: another one may have removed it since it was read, and have the lock now.
 * A process that is killed here leaves a lock for this, which is taken over likewise.
 */
function removeLeft(path: string, holder: string, what: string): void {
  const unlock = lock(leftOf(path), what);
  try {
    if (read(path) === holder) rmSync(path, { force: true });
  } finally {
    unlock();
  }
}

/** Seconds within which a process that has made its file writes its name */
const WRITTEN_WITHIN = 5;

function isFresh(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs < 1000 * WRITTEN_WITHIN;
  } catch {
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
