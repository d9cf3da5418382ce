import { cudaEngineOn } from "../../../src/engines/cuda.js";
import { jsEngine } from "../../../src/engines/js.js";
import { mpiEngine } from "../../../src/engines/mpi.js";
import { wasmEngine } from "../../../src/engines/wasm.js";
import { engineContract } from "../../contracts/engine.js";
import { linalgContract } from "../../contracts/linalg.js";
import { emulatedCuda } from "../cuda/emulated.js";
import { alone } from "./alone.js";

// the threads of threads.test.ts have devices too
if (process.env.EXPEN_LONG)
  engineContract("mpi, one rank on an emulated device", async () => mpiEngine(alone(), cudaEngineOn(emulatedCuda())));
engineContract("mpi, one rank", async () => mpiEngine(alone(), jsEngine()));
linalgContract("mpi, one rank", async () => mpiEngine(alone(), await wasmEngine()));
