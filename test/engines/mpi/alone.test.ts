import { jsEngine } from "../../../src/engines/js.js";
import { mpiEngine } from "../../../src/engines/mpi.js";
import { wasmEngine } from "../../../src/engines/wasm.js";
import { engineContract } from "../../contracts/engine.js";
import { linalgContract } from "../../contracts/linalg.js";
import { alone } from "./alone.js";

engineContract("mpi, one rank", async () => mpiEngine(alone(), jsEngine()));
linalgContract("mpi, one rank", async () => mpiEngine(alone(), await wasmEngine()));
