import { type Environment, environment } from "@expen/linalg";

/** The size and rank that the launcher gave this process, known before MPI starts */
export interface Started {
  readonly by: "Open MPI" | "MPICH";
  readonly rank: number;
  /** undefined where the launcher keeps it to itself (MPICH with -pmi-port) */
  readonly size: number | undefined;
  /** ranks on this machine, and which of them this is */
  readonly local: number;
  readonly localRank: number;
}

/** Milliseconds that mpirun may take to end all processes once one has ended */
export const PATIENCE = 2000;

/** Open MPI, then MPICH and its kin (Intel MPI, MVAPICH); undefined without a launcher */
export function startedAs(env: Environment = environment): Started | undefined {
  const number = (...names: string[]): number | undefined =>
    names.map((name) => Number(env[name] || Number.NaN)).find((x) => x >= 0);
  const open = number("OMPI_COMM_WORLD_RANK");
  if (open !== undefined) {
    const size = number("OMPI_COMM_WORLD_SIZE");
    const local = number("OMPI_COMM_WORLD_LOCAL_SIZE") ?? size ?? 1;
    return { by: "Open MPI", rank: open, size, local, localRank: number("OMPI_COMM_WORLD_LOCAL_RANK") ?? open % local };
  }
  const rank = number("PMI_RANK", "PMI_ID");
  if (rank === undefined) return undefined;
  const size = number("PMI_SIZE");
  const local = number("MPI_LOCALNRANKS") ?? size ?? 1;
  return { by: "MPICH", rank, size, local, localRank: number("MPI_LOCALRANKID") ?? rank % local };
}

/**
 * MPICH's mpirun speaks to its processes through an open file, which Node does not hand on to its children: `npx` is one in between, and
 * MPI would end with pages of its own.
 */
export function isCutOff(env: Environment, isOpen: (file: number) => boolean): boolean {
  return env.PMI_FD !== undefined && !isOpen(Number(env.PMI_FD));
}
