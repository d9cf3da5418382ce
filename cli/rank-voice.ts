/** Of several processes that fail, one speaks. */

import { HEARD, PATIENCE, startedAs } from "../src/engines/mpi/started.js";

const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Writes a last sentence to stderr, and waits until it is heard: mpirun may drop what it has not read when the process ends all. */
export async function say(sentence: string): Promise<void> {
  process.stderr.write(sentence);
  if (startedAs()) await after(HEARD);
}

/**
 * What to put before the message of this process, or undefined where another one speaks. Before MPI runs, the ranks ask each other who has
 * failed. Later nobody listens: rank 0 speaks at once, and its end ends the others while they wait; one that fails alone speaks then.
 */
export async function turnToSpeak(): Promise<string | undefined> {
  const rank = startedAs()?.rank;
  if (rank === undefined) return "";
  const name = rank === 0 ? "" : `rank ${rank}: `;
  const { failTogether, mpiRuns } = await import("../src/engines/mpi-open.js");
  if (await mpiRuns()) {
    if (rank > 0) await after(PATIENCE + 100 * Math.min(rank, 20));
    return name;
  }
  try {
    return (await failTogether()) ? name : undefined;
  } catch {
    // there is no MPI to ask with, which all of them see alike
    return rank === 0 ? "" : undefined;
  }
}
