/** A worker of the crew: what it runs, how it is started in Node and in a browser, and how this thread learns that it is gone. */
import { isNode, nodeModule } from "./features.js";

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
/** Doubles of a job; the text of a failure takes their place. */
export const ARGUMENTS = 16;
export const BLOCK_BYTES = 64 + 8 * (ARGUMENTS + 1);
/** Looks at a flag before a thread goes to sleep: about 20 µs, the time that waking up takes. */
export const SPINS = 4000;
/** A worker that is not ready after this many seconds never will be: it takes 0.05 s on a free machine. */
const START_SECONDS = 15;

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
const SCRIPT = `
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
// From within the event loop, because only then Node tells other threads whether the worker still runs.
const NODE_SCRIPT = `${SCRIPT}
const { parentPort, workerData } = require("node:worker_threads");
setImmediate(() => work(workerData, () => parentPort.postMessage("ready")));`;
const WEB_SCRIPT = `${SCRIPT}
self.onmessage = ({ data }) => work(data, () => self.postMessage("ready"));`;

/** `begin` is given what to call when all is well and what to call when not; too late is not well either. */
function within(seconds: number, begin: (ready: () => void, fail: (error: Error) => void) => void): Promise<void> {
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

const hireInNode: Hire = async (task, seconds = START_SECONDS) => {
  const { Worker } = await nodeModule<typeof import("node:worker_threads")>("node:worker_threads");
  const worker = new Worker(NODE_SCRIPT, { eval: true, workerData: task, execArgv: [] });
  let gone = false;
  const end = (): void => void worker.terminate();
  try {
    await within(seconds, (ready, fail) => {
      worker.once("message", ready).on("error", fail);
      worker.once("exit", (code) => {
        gone = true;
        fail(new Error(`it ended with code ${code}`));
      });
    });
  } catch (error) {
    end();
    throw error;
  }
  worker.unref();
  // 'exit' is an event and so never comes while this thread waits; the idle time of a stopped thread is −1 at once,
  // if Node was asked for it before
  const stopped = (): boolean => worker.performance.eventLoopUtilization().idle < 0;
  stopped();
  return { alive: () => !gone && !stopped(), end };
};

const hireInBrowser: Hire = async (task, seconds = START_SECONDS) => {
  const url = URL.createObjectURL(new Blob([WEB_SCRIPT], { type: "text/javascript" }));
  const worker = new Worker(url);
  let gone = false;
  const end = (): void => worker.terminate();
  worker.postMessage(task);
  try {
    await within(seconds, (ready, fail) => {
      worker.onmessage = () => ready();
      worker.onerror = (event) => {
        event.preventDefault();
        gone = true;
        fail(new Error(event.message || "the worker script was not allowed to run"));
      };
    });
  } catch (error) {
    end();
    throw error;
  } finally {
    URL.revokeObjectURL(url);
  }
  return { alive: () => !gone, end };
};

export const hire: Hire = (task, seconds) => (isNode() ? hireInNode : hireInBrowser)(task, seconds);
