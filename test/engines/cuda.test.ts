import { cudaEngineOn } from "../../src/engines/cuda.js";
import { engineContract } from "../contracts/engine.js";
import { linalgContract } from "../contracts/linalg.js";
import { emulatedCuda } from "./cuda/emulated.js";

engineContract("cuda, emulated", async () => cudaEngineOn(emulatedCuda()));
linalgContract("cuda, emulated", async () => cudaEngineOn(emulatedCuda(), { onHost: 0 }));
