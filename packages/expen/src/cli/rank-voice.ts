/** If several processes fail, one of them reports it. */

import { hearing, PATIENCE, startedAs } from "@expen/engines/mpi";

const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Writes a last sentence to stderr, and waits until mpirun has read it. */
export async function say(sentence: string): Promise<void> {
  process.stderr.write(sentence);
  if (startedAs()) (await hearing())();
}

/** The prefix of this process's sentence; or `silent` if another process reports the failure: this one failed too, or just ends */
export type Turn = { readonly name: string } | { readonly silent: "failed" | "ended" };

/**
 * Before MPI runs, the ranks ask each other which of them have failed. Later they cannot: rank 0 writes at once, and its end ends the
 * others while they wait; a rank that fails alone writes after its wait.
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
