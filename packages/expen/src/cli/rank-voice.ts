/** Of several processes that fail, one speaks. */

import { hearing, PATIENCE, startedAs } from "@expen/engines/mpi";

const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Writes a last sentence to stderr, and waits until it is heard. */
export async function say(sentence: string): Promise<void> {
  process.stderr.write(sentence);
  if (startedAs()) (await hearing())();
}

/** Who this process is to speak as; or that another one speaks, and whether this one has failed alike or has nothing to add */
export type Turn = { readonly name: string } | { readonly silent: "failed" | "ended" };

/**
 * Before MPI runs, the ranks ask each other who has failed. Later nobody listens: rank 0 speaks at once, and its end ends the others while
 * they wait; one that fails alone speaks then.
 */
export async function turnToSpeak(): Promise<Turn> {
  const { rank, localRank } = startedAs() ?? { rank: 0, localRank: 0 };
  const name = rank === 0 ? "" : `rank ${rank}: `;
  if (!startedAs()) return { name };
  const { failTogether, mpiRuns } = await import("@expen/engines/mpi");
  if (await mpiRuns()) {
    if (rank > 0) await after(PATIENCE + 100 * Math.min(rank, 20));
    return { name };
  }
  try {
    return (await failTogether()) ? { name } : { silent: "failed" };
  } catch {
    // There is no MPI to ask with, which all on a machine see alike. A failure of one that is silent would end the one that speaks.
    return localRank === 0 ? { name } : { silent: "ended" };
  }
}
