/** A worker on every host: its kernels, the flags of its block, its script, and the time limit for its start. */

export const KERNELS = [
  "gemm",
  "gramUpper",
  "dot",
  "copy",
  "fill",
  "axpby",
  "combine",
  "map",
  "rowDots",
  "scaleRows",
  "tridiagonal",
  "tridiagonalSolve",
] as const;
export type SharedKernel = (typeof KERNELS)[number];

/** Place in a block of the number of jobs begun */
export const JOB = 0;
/** Place of the number of jobs done */
export const DONE = 1;
/** Place of the kernel, by its place in KERNELS */
export const KERNEL = 2;
/** Place of the number of arguments */
export const COUNT = 3;
/** Place of the length in bytes of the text of an error, or 0 */
export const FAILED = 4;
/** Number of flags */
export const FLAGS = 5;
/** The value of KERNEL that ends the worker, as Deno cannot end one that sleeps. */
export const STOP = -1;
/** Doubles for the arguments of a job, in whose place the text of an error is written. */
export const ARGUMENTS = 16;
/** Bytes of a block: the flags in a cache line of their own, arguments, result */
export const BLOCK_BYTES: number = 64 + 8 * (ARGUMENTS + 1);
/** Reads of a flag before a thread sleeps: about 20 µs, the time that waking up takes. */
export const SPINS = 4000;
/** Seconds after which the start of a worker has failed; it takes 0.05 s on an idle machine. */
export const START_SECONDS = 15;

export interface Task {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  block: number;
}

export interface Hired {
  /** false only if the worker is known to have ended */
  alive(): boolean;
  end(): void;
}

/** Starts a worker; resolves when it can take jobs. */
export type Hire = (task: Task, seconds?: number) => Promise<Hired>;

/**
 * The script of a worker, as text, so that it needs no file in Node or in a bundle. A worker that wakes up need not have a new job: the
 * notification of a job that it took while awake may arrive after it has slept again. A job that throws counts as done, with the error.
 */
export const SCRIPT: string = `
const work = ({ module, memory, block }, ready) => {
  const x = new WebAssembly.Instance(module, { env: { memory }, Math }).exports;
  const flags = new Int32Array(memory.buffer, block, ${FLAGS});
  const numbers = new Float64Array(memory.buffer, block + 64, ${ARGUMENTS + 1});
  const text = new Uint8Array(memory.buffer, block + 64, ${8 * ARGUMENTS});
  const kernels = ${JSON.stringify(KERNELS)};
  ready();
  for (let done = 0; ; ) {
    for (let i = 0; i < ${SPINS} && Atomics.load(flags, ${JOB}) === done; i++);
    while (Atomics.load(flags, ${JOB}) === done) Atomics.wait(flags, ${JOB}, done);
    done = Atomics.load(flags, ${JOB});
    if (flags[${KERNEL}] === ${STOP}) return;
    try {
      numbers[${ARGUMENTS}] = x[kernels[flags[${KERNEL}]]](...numbers.subarray(0, flags[${COUNT}])) ?? 0;
    } catch (error) {
      const why = new TextEncoder().encode(String(error)).subarray(0, text.length);
      text.set(why);
      flags[${FAILED}] = why.length;
    }
    Atomics.store(flags, ${DONE}, done);
    Atomics.notify(flags, ${DONE});
  }
};
`;
/** Resolves when `begin` calls `ready`; rejects when it calls `fail`, or after so many seconds. */
export function within(
  seconds: number,
  begin: (ready: () => void, fail: (error: Error) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it gave no sign of life within ${seconds} s`)), 1000 * seconds);
    const onTime = <T>(settle: (value: T) => void) => {
      return (value: T): void => {
        clearTimeout(timer);
        settle(value);
      };
    };
    begin(onTime<void>(resolve), onTime<Error>(reject));
  });
}
