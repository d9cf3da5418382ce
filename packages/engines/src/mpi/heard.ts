/** A last sentence is lost where mpirun ends before it has read it: whoever ends all waits until it has. */
import { loadKoffi } from "../koffi.js";

/** ioctl's FIONREAD: the number of unread bytes of a pipe */
const UNREAD: Partial<Record<string, number>> = { linux: 0x541b, darwin: 0x4004667f };
/** file descriptor of stderr */
const STDERR = 2;
/** Milliseconds between two looks, for a reader that does not read, and for the way from there to the terminal */
const [LOOK, LIMIT, FURTHER] = [5, 10_000, 100];
/** The same where a pipe cannot be looked into */
const BLIND = 500;

export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A function that returns once what this process has written to stderr was read; it must not await, as it is for dying processes. */
export async function hearing(): Promise<() => void> {
  const unread = await unreadBytes().catch(() => undefined);
  return () => {
    if (!unread) return sleep(BLIND);
    for (let waited = 0; waited < LIMIT && unread() > 0; waited += LOOK) sleep(LOOK);
    sleep(FURTHER);
  };
}

async function unreadBytes(): Promise<(() => number) | undefined> {
  const request = UNREAD[process.platform];
  if (request === undefined || !process.getBuiltinModule("node:fs").fstatSync(STDERR).isFIFO()) return undefined;
  const koffi = await loadKoffi("mpi");
  const ioctl = koffi.load(null).func("ioctl", "int", ["int", "unsigned long", "..."]);
  const bytes = new Int32Array(1);
  return () => (ioctl(STDERR, request, "int *", bytes) === 0 ? bytes[0]! : 0);
}
