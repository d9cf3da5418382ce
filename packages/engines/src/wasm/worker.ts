/** A worker of the crew, on every host: the kernels it runs, the flags of its block, its script, and the time it has to start in. */

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

/** Flags of a block, in the order of their numbers. FAILED: how many bytes of text say why, 0 while all is well. */
export const [JOB, DONE, KERNEL, COUNT, FAILED] = [0, 1, 2, 3, 4];
export const FLAGS = 5;
/** In the place of a kernel: the worker ends. Deno cannot end one that sleeps. */
export const STOP = -1;
/** Doubles of a job; the text of a failure takes their place. */
export const ARGUMENTS = 16;
export const BLOCK_BYTES = 64 + 8 * (ARGUMENTS + 1);
/** Looks at a flag before a thread goes to sleep: about 20 µs, the time that waking up takes. */
export const SPINS = 4000;
/** A worker that is not ready after this many seconds never will be: it takes 0.05 s on a free machine. */
export const START_SECONDS = 15;

export interface Task {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  block: number;
}

export interface Hired {
  /** false only if the worker is known to be gone */
  alive(): boolean;
  end(): void;
}

/** Starts a worker; resolves when it is ready for work. */
export type Hire = (task: Task, seconds?: number) => Promise<Hired>;

/**
 * What a worker runs: plain script, so that it needs no file of its own, neither in Node nor in a bundle. Being woken is no proof of
 * a new job: the call for one that it has seen while awake, and done, may arrive when it sleeps again. A job that throws is done, too,
 * and says why.
 */
export const SCRIPT = `
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
/** `begin` is given what to call when all is well and what to call when not; too late is not well either. */
export function within(
  seconds: number,
  begin: (ready: () => void, fail: (error: Error) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it gave no sign of life within ${seconds} s`)), 1000 * seconds);
    const then = <T>(settle: (value: T) => void) => {
      return (value: T): void => {
        clearTimeout(timer);
        settle(value);
      };
    };
    begin(then<void>(resolve), then<Error>(reject));
  });
}
