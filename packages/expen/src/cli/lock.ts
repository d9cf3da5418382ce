/**
 * One process at a time: a file with the name of the process that holds it. A killed process leaves its file behind, and the next one takes
 * it over.
 */
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
    if (take(path, own)) {
      removeRemains(path, what);
      return () => rmSync(path, { force: true });
    }
    const holder = read(path);
    if (holder === undefined) continue;
    const pid = Number.parseInt(holder, 10);
    if (holder !== own && pid > 0 && nameOf(pid) === holder) {
      throw new InputError(`${what} is in use by process ${pid}; wait for it, or choose another place.`);
    }
    removeLeft(path, holder, what);
  }
  throw new InputError(`${what} is in use by another process; wait for it, or choose another place.`);
}

/** Makes the file, with the name in it from the first moment, unless there is one. */
function take(path: string, own: string): boolean {
  const written = `${path}.${process.pid}`;
  writeFileSync(written, own);
  try {
    linkSync(written, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

/** The lock of those who remove a lock that was left */
const leftOf = (path: string): string => `${path}.left`;

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

/** Takes away what processes left that were killed while they took this lock, or removed a left one. */
function removeRemains(path: string, what: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const other of readdirSync(folder)) {
    const pid = other.startsWith(`${name}.`) ? Number(other.slice(name.length + 1)) : 0;
    if (pid > 0 && nameOf(pid) === undefined) rmSync(join(folder, other), { force: true });
  }
  if (read(leftOf(path)) === undefined) return;
  try {
    lock(leftOf(path), what)();
  } catch (error) {
    // a live process holds it, and is about to see that this lock is taken
    if (!(error instanceof InputError)) throw error;
  }
}

/** What the file says; undefined where there is none */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
