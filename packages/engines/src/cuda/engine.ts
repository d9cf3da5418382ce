/** The `cuda` engine: matrices on an NVIDIA device; cuBLAS, cuSOLVER and kernels compiled at run time, through koffi. */

import type { Engine } from "@expen/linalg";
import { environment } from "@expen/linalg";
import type { Owned } from "@expen/linalg/engine";
import { checks, makeEngine } from "@expen/linalg/engine";
import { openDevice } from "./device.js";
import { deviceFactor } from "./factor.js";
import type { Cuda } from "./functions.js";
import { cudaKernels } from "./kernels.js";
import { launcher } from "./launcher.js";
import { deviceMemory } from "./memory.js";
import { nativeCuda } from "./native.js";
import { normalFill } from "./normal-fill.js";
import { deviceOperators } from "./operators.js";

export interface CudaOptions {
  /** which device, from 0; otherwise EXPEN_CUDA_DEVICE, otherwise the first */
  device?: number;
  /** factorizations up to this size in host memory; for tests */
  onHost?: number;
}

/** Up to this size cuSOLVER takes longer than the way to the host and back. */
const ON_HOST = 32;

export interface CudaEngine extends Engine {
  /** how often the host waited for the device so far */
  readonly waits: { readonly count: number };
}

export async function cudaEngine(options: CudaOptions = {}): Promise<CudaEngine> {
  return cudaEngineOn(await nativeCuda(), options);
}

/** On the functions given: those of this machine, or of a test */
export function cudaEngineOn(cuda: Cuda, options: CudaOptions = {}): CudaEngine {
  const index = options.device ?? Number(environment.EXPEN_CUDA_DEVICE || 0);
  const device = openDevice(cuda, index);
  const memory = deviceMemory(device, normalFill(device));
  const launch = launcher(device);
  const kernels = cudaKernels(device, launch);
  const tools = { device, memory, kernels, launch };
  const E = makeEngine({
    name: "cuda",
    description: `${device.name}, cuBLAS of ${cuda.paths.cublas}`,
    memory,
    kernels,
    factor: deviceFactor({ ...tools, onHost: options.onHost ?? ON_HOST, checks: () => own }),
    operator: deviceOperators({ ...tools, engine: () => ({ checks: own, counters: E.counters, tall: E.tall }) }),
  });
  const own = checks((E.small(0, 0) as unknown as Owned).owner as { name: string }, memory);
  const { capacity, speeds, waits } = device;
  return { ...E, device: { capacity, ...(speeds && { speeds }) }, waits };
}
