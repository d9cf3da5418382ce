import { startedAs } from "@expen/engines/mpi";
import pc from "picocolors";

/** Colours of stdout: only on a terminal. Open MPI's mpirun shows rank 0 one whatever its own output is; under MPICH's there is none. */
export const coloured: boolean = Boolean(process.stdout.isTTY) && pc.isColorSupported && !startedAs();
export const colours: ReturnType<typeof pc.createColors> = pc.createColors(coloured);
