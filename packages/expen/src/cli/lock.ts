/**
 * A lock: a file that contains the name of the process that holds it. If that process was killed, the next one takes the lock over.
 */
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "./input-error.js";

/** Process number and, on Linux, its start time, since numbers are used again; undefined if no such process is alive */
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

/** Takes the lock and returns a function that releases it; throws a sentence with the number of the process that holds it. */
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

/** Makes the file if none exists. A link makes it with its content at once. */
function take(path: string, own: string): boolean {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, own);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The lock that a process holds while it removes the lock of a killed one */
const leftOf = (path: string): string => `${path}.left`;

/**
 * Removes the lock of a killed process, under a lock of its own: since it was read, another process may have removed it and taken the lock.
 * If this process is killed here, the inner lock is taken over in the same way.
 */
function removeLeft(path: string, holder: string, what: string): void {
  const unlock = lock(leftOf(path), what);
  try {
    if (read(path) === holder) rmSync(path, { force: true });
  } finally {
    unlock();
  }
}

/** Removes the files of processes that were killed while they took this lock, or removed the lock of another. */
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

/** The content of the file; undefined if it does not exist */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
