import { type CudaOptions, cudaEngineOn } from "../../src/engines/cuda.js";
import type { Engine } from "../../src/types.js";
import { engineContract } from "../contracts/engine.js";
import { linalgContract } from "../contracts/linalg.js";
import { emulatedCuda } from "./cuda/emulated.js";

/** Without the operations of host engines alone */
const open = async (options?: CudaOptions): Promise<Engine> => {
  const { tridiagonal: _, tridiagonalSolve: __, ...E } = cudaEngineOn(emulatedCuda(), options);
  return E as unknown as Engine;
};

engineContract("cuda, emulated", () => open());
linalgContract("cuda, emulated", () => open({ onHost: 0 }));
