/** Engines of several processes, opened under mpirun. MPI is started once in a process and ends with it. */
import type { Engine } from "@expen/linalg";
import { textChecksum } from "./checksum.js";
import { dataEngine } from "./data.js";
import { mpiEngine } from "./engine.js";
import { hearing, sleep } from "./heard.js";
import { mpiWire } from "./library.js";
import { PATIENCE } from "./started.js";
import type { Wire } from "./wire.js";

let wire: Promise<Wire> | undefined;
let done = false;

/**
 * MPI cannot be started a second time: what engines close is kept open until the process ends. A process that ends with an error before
 * all are done ends the others, which would wait for it for ever.
 */
async function open(): Promise<Wire> {
  wire ??= mpiWire().then(async (opened) => {
    const acknowledge = await hearing();
    process.on("uncaughtExceptionMonitor", (error) => lastWords(opened.rank, error, acknowledge));
    process.once("exit", (code) => (code === 0 || done ? opened.close() : opened.abort(code)));
    return opened;
  });
  const leave = (): void => {
    done = true;
  };
  return { ...(await wire), leave, close: () => undefined };
}

/** Node would say what an exception was after the process has ended all. Where all have it, rank 0 ends the others before they speak. */
function lastWords(rank: number, error: Error, acknowledge: () => void): void {
  if (rank > 0) sleep(PATIENCE + 100 * Math.min(rank, 20));
  process.getBuiltinModule("node:fs").writeSync(2, `rank ${rank}: ${error?.stack ?? error}\n`);
  acknowledge();
}

/** Whether ranks are working together */
export const mpiRuns = async (): Promise<boolean> => (await wire?.catch(() => undefined)) !== undefined;

/**
 * To be called by a rank that failed before it opened an engine; the others come by the first question of theirs (`alike`). Whether this
 * rank is to say why: the first of those that failed. It ends all, or, where all failed, each ends itself.
 */
export async function failTogether(): Promise<boolean> {
  const world = await open();
  const flags = new Float64Array(world.size);
  world.gather(flags, new Int32Array(world.size).fill(1), Float64Array.of(Number.NaN));
  done = flags.every(Number.isNaN);
  const speaks = flags.findIndex(Number.isNaN) === world.rank;
  // to be ended by the one that speaks, not to end it
  if (!speaks && !done) sleep(5 * PATIENCE);
  return speaks;
}

/** Ends MPI before the process does, where a process does not end by itself. */
export async function closeMpi(): Promise<void> {
  (await wire)?.close();
}

/** Rows of tall matrices over ranks */
export async function openRows(inner: () => Promise<Engine>): Promise<Engine> {
  const world = await open();
  return alike(mpiEngine(world, await inner()));
}

/** X on every rank, data over ranks (sumOverRanks) */
export async function openData(inner: () => Promise<Engine>): Promise<Engine> {
  const world = await open();
  return alike(dataEngine(world, await inner()));
}

/** Ranks that were started otherwise than rank 0 would wait for each other for ever. */
function alike(E: Engine): Engine {
  const { argv, versions } = process;
  E.ranks!.requireAlike([textChecksum(argv.slice(2).join("\0"))], "the command line");
  E.ranks!.requireAlike([textChecksum(`${versions.node} ${E.description}`)], "the version of Node or the inner engine");
  return E;
}
