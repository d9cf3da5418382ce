/** One device: its context, its handles, its memory, its kernels. Every call of CUDA passes here, so that every code is looked at. */

import type { Speeds } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { compiler } from "./compile.js";
import { failure } from "./failure.js";
import type { Cuda, FunctionName } from "./functions.js";
import { type Argument, launchArguments } from "./launch-arguments.js";
import { type StagedDownload, stagedDownload, WORTH_STAGING } from "./staged-download.js";

/** CUDA 12.0: what older drivers cannot run */
const OLDEST_DRIVER = 12000;
/** CUDA_ERROR_OUT_OF_MEMORY of the driver */
const OUT_OF_MEMORY = 2;
/** CUdevice_attribute of the driver */
const ATTRIBUTE = {
  /** kHz */
  clock: 13,
  multiprocessors: 16,
  /** kHz, bits */
  memoryClock: 36,
  busWidth: 37,
  major: 75,
  minor: 76,
  /** single by double precision */
  precisionRatio: 87,
} as const;
/** Multiply-adds in single precision of a multiprocessor in a cycle */
const LANES = 128;
/** Of the bandwidth that the clock of the memory gives, twice a cycle, kernels reach this part (H200: 4.0 of 4.9 TB/s). */
const REACHED = 0.82;
/** Seconds for a product or a number that comes back (H200: 10 and 7 µs) */
const CALL = 1e-5;
export interface Kernel {
  readonly handle: number;
}

/** Work that waits for the next call: what comes then may be done in the same pass over memory. */
export interface Deferred {
  run(): void;
  /** Does the work and gives the inner products ⟨X_i, Y⟩ as well; undefined, with nothing done, where it cannot. */
  dots?(size: number, Xs: readonly object[], Y: object): Float64Array | undefined;
}

export interface Device {
  /** NVIDIA H200, 141 GB, CUDA 13.0 */
  readonly name: string;
  readonly multiprocessors: number;
  readonly cublas: number;
  readonly cusolver: number;
  readonly capacity: number;
  /** absent where the driver does not tell */
  readonly speeds: Speeds | undefined;
  /** how often the host waited for the device */
  readonly waits: { count: number };
  /** calls so far: where it is what it was, nothing has changed on the device */
  readonly calls: { count: number };
  /** Calls the function; a code other than 0 throws an EngineError with its meaning. */
  call(name: FunctionName, ...args: unknown[]): void;
  /** An address, or undefined where the device has no room */
  allocate(bytes: number): number | undefined;
  release(at: number): void;
  free(): number;
  upload(at: number, numbers: ArrayBufferView): void;
  download(numbers: ArrayBufferView, at: number): void;
  kernel(source: string, name: string, options?: readonly string[]): Kernel;
  /** Addresses, whole numbers (bigint) and reals, 8 bytes each, in the order of the kernel's parameters */
  launch(
    kernel: Kernel,
    grid: readonly [number, number],
    block: readonly [number, number],
    args: readonly Argument[],
  ): void;
  /** Runs before anything else on the device does, unless `claim` takes it over. */
  defer(work: Deferred): void;
  /** The operation that waits, if there is one */
  deferred(): Deferred | undefined;
  claim(): void;
  /** Does `work` before what waits, which it must not touch. */
  aside<T>(work: () => T): T;
  wait(): void;
  dispose(): void;
}

/** The context of this thread, which several engines may change; 0 where none is known */
let current = 0;

export function openDevice(cuda: Cuda, index = 0): Device {
  let waiting: Deferred | undefined;
  function settle(): void {
    const work = waiting;
    waiting = undefined;
    work?.run();
  }
  /** of this engine, once it is there */
  let context = 0;
  function enter(): void {
    if (context !== current && cuda.cuCtxSetCurrent(context) === 0) current = context;
  }
  const calls = { count: 0 };
  function call(name: FunctionName, ...args: unknown[]): void {
    if (waiting) settle();
    calls.count++;
    if (context !== current && context !== 0) enter();
    const code = cuda[name](...args);
    if (code !== 0) throw failure(name, code);
  }
  const whole = (name: FunctionName, ...args: unknown[]): number => {
    const out = new Int32Array(1);
    call(name, out, ...args);
    return out[0]!;
  };
  const handle = (name: FunctionName, ...args: unknown[]): number => {
    const out = new BigUint64Array(1);
    call(name, out, ...args);
    return Number(out[0]);
  };

  const begun = cuda.cuInit(0);
  if (begun !== 0) {
    throw new EngineError(`cuda: the driver does not start (cuInit gave ${begun}); is there a device? See nvidia-smi.`);
  }
  const version = whole("cuDriverGetVersion");
  if (version < OLDEST_DRIVER) {
    throw new EngineError(
      `cuda: the driver is of CUDA ${versionText(version)}; CUDA 12.0 or later is needed, so install a newer driver.`,
    );
  }
  const count = whole("cuDeviceGetCount");
  if (!(index < count)) {
    throw new EngineError(
      `cuda: device ${index} was asked for but there are ${count}; set EXPEN_CUDA_DEVICE to one from 0.`,
    );
  }
  const device = whole("cuDeviceGet", index);
  const attribute = (which: number): number => whole("cuDeviceGetAttribute", which, device);
  const letters = new Uint8Array(256);
  call("cuDeviceGetName", letters, letters.length, device);
  const title = new TextDecoder().decode(letters.subarray(0, letters.indexOf(0)));
  const retained = handle("cuDevicePrimaryCtxRetain", device);
  call("cuCtxSetCurrent", retained);
  context = current = retained;
  const cublas = handle("cublasCreate_v2");
  /** made when a factorization asks for it */
  let solver = 0;
  const [free, total] = [new BigUint64Array(1), new BigUint64Array(1)];
  call("cuMemGetInfo_v2", free, total);
  const capacity = Number(free[0]);
  const architecture = `sm_${attribute(ATTRIBUTE.major)}${attribute(ATTRIBUTE.minor)}`;
  const multiprocessors = attribute(ATTRIBUTE.multiprocessors);
  const flops = (2e3 * LANES * multiprocessors * attribute(ATTRIBUTE.clock)) / attribute(ATTRIBUTE.precisionRatio);
  const bytes = (2e3 * REACHED * attribute(ATTRIBUTE.memoryClock) * attribute(ATTRIBUTE.busWidth)) / 8;
  const functions = compiler(cuda, call, handle, architecture);
  const waits = { count: 0 };
  const used = new Set<number>();
  let staged: StagedDownload | undefined;

  const addressesOf = launchArguments(cuda);

  return {
    name: `${title}, ${(Number(total[0]) / 1e9).toPrecision(3)} GB, driver of CUDA ${versionText(version)}`,
    multiprocessors,
    cublas,
    get cusolver() {
      solver ||= handle("cusolverDnCreate");
      return solver;
    },
    capacity,
    speeds: flops > 0 && bytes > 0 && flops < Number.POSITIVE_INFINITY ? { flops, bytes, call: CALL } : undefined,
    waits,
    calls,
    call,
    allocate(bytes) {
      enter();
      const out = new BigUint64Array(1);
      const code = cuda.cuMemAlloc_v2(out, bytes);
      if (code === OUT_OF_MEMORY) return undefined;
      if (code !== 0) throw failure("cuMemAlloc_v2", code);
      const at = Number(out[0]);
      used.add(at);
      return at;
    },
    release(at) {
      used.delete(at);
      call("cuMemFree_v2", at);
    },
    free() {
      call("cuMemGetInfo_v2", free, total);
      return Number(free[0]);
    },
    upload: (at, numbers) => call("cuMemcpyHtoD_v2", at, numbers, numbers.byteLength),
    download(numbers, at) {
      waits.count++;
      if (numbers.byteLength < WORTH_STAGING) call("cuMemcpyDtoH_v2", numbers, at, numbers.byteLength);
      else (staged ??= stagedDownload(call))(numbers, at);
    },
    kernel: functions.kernel,
    launch({ handle }, grid, block, args) {
      // before the arguments are written
      if (waiting) settle();
      const addresses = addressesOf(args);
      call("cuLaunchKernel", handle, grid[0], grid[1], 1, block[0], block[1], 1, 0, 0, addresses, null);
    },
    defer(work) {
      if (waiting) settle();
      waiting = work;
    },
    deferred: () => waiting,
    claim() {
      waiting = undefined;
    },
    aside(work) {
      const previous = waiting;
      waiting = undefined;
      try {
        return work();
      } finally {
        waiting = previous;
      }
    },
    wait: () => call("cuCtxSynchronize"),
    dispose() {
      // the device may be lost: what is left of it is not worth an error
      waiting = undefined;
      enter();
      for (const at of used) cuda.cuMemFree_v2(at);
      for (const piece of staged?.pieces ?? []) cuda.cuMemHostUnregister(piece);
      functions.dispose();
      cuda.cublasDestroy_v2(cublas);
      if (solver) cuda.cusolverDnDestroy(solver);
      cuda.cuDevicePrimaryCtxRelease_v2(device);
      current = 0;
    },
  };
}

const versionText = (version: number): string => `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
