import { startedAs } from "@expen/engines/mpi";
import pc from "picocolors";

/** Colours of stdout: only on a terminal. Open MPI's mpirun shows rank 0 one whatever its own output is; under MPICH's there is none. */
export const coloured = Boolean(process.stdout.isTTY) && pc.isColorSupported && !startedAs();
export const colours = pc.createColors(coloured);
