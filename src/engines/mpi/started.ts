/** What a launcher has told this process about itself, before MPI is asked. */
export interface Started {
  readonly by: "Open MPI" | "MPICH";
  readonly rank: number;
  readonly size: number;
  /** ranks on this machine */
  readonly local: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Open MPI, then MPICH and its kin (Intel MPI, MVAPICH); undefined where nobody launched several */
export function startedAs(env: Environment = globalThis.process?.env ?? {}): Started | undefined {
  const number = (name: string): number => Number(env[name] ?? Number.NaN);
  const known = [
    { by: "Open MPI", rank: "OMPI_COMM_WORLD_RANK", size: "OMPI_COMM_WORLD_SIZE", local: "OMPI_COMM_WORLD_LOCAL_SIZE" },
    { by: "MPICH", rank: "PMI_RANK", size: "PMI_SIZE", local: "MPI_LOCALNRANKS" },
  ] as const;
  for (const { by, ...names } of known) {
    const [rank, size] = [number(names.rank), number(names.size)];
    if (rank >= 0 && size >= 1) return { by, rank, size, local: number(names.local) || size };
  }
  return undefined;
}
