/**
 * Worker threads on one shared memory. A job is the same kernel on disjoint parts; this thread takes the first part, each worker one
 * of the others, and all are done when `share` returns.
 *
 * Each worker has a block of the memory: 4 flags (job number, job number done, kernel, count of arguments), from byte 64 on the
 * arguments as doubles, at last the result.
 */
import { EngineError } from "../engine.js";
import { isNode, nodeModule } from "./features.js";
import type { Host } from "./kernels.js";

const ARGUMENTS = 16;
export const BLOCK_BYTES = 64 + 8 * (ARGUMENTS + 1);
/** Looks at a flag before a thread goes to sleep: about 20 µs, the time that waking up takes. */
const SPINS = 4000;

const KERNELS = [
  "gemm",
  "gemmtUpper",
  "dot",
  "copy",
  "fill",
  "axpby",
  "combine",
  "hadamard",
  "map",
  "rowDots",
  "scaleRows",
  "tridiagonal",
  "tridiagonalSolve",
] as const;
export type SharedKernel = (typeof KERNELS)[number];

export interface Crew {
  /**
   * Runs the kernel on the parts of 0…count, cut at multiples of `grain` (but for the last), and returns the sum of what they return.
   * `part` gives the arguments for first…end on a thread.
   */
  share(
    kernel: SharedKernel,
    count: number,
    grain: number,
    part: (first: number, end: number, thread: number) => number[],
    cut?: (fraction: number) => number,
  ): number;
  /** how many jobs were shared so far */
  jobs(): number;
  end(): void;
}

/**
 * What a worker runs: plain script, so that it needs no file of its own, neither in Node nor in a bundle. Being woken is no proof of
 * a new job: the call for one that it has seen while awake, and done, may arrive when it sleeps again.
 */
const SCRIPT = `
const work = ({ module, memory, block }) => {
  const x = new WebAssembly.Instance(module, { env: { memory }, Math }).exports;
  const flags = new Int32Array(memory.buffer, block, 4);
  const numbers = new Float64Array(memory.buffer, block + 64, ${ARGUMENTS + 1});
  const kernels = ${JSON.stringify(KERNELS)};
  for (let done = 0; ; ) {
    for (let i = 0; i < ${SPINS} && Atomics.load(flags, 0) === done; i++);
    while (Atomics.load(flags, 0) === done) Atomics.wait(flags, 0, done);
    done = Atomics.load(flags, 0);
    numbers[${ARGUMENTS}] = x[kernels[flags[2]]](...numbers.subarray(0, flags[3])) ?? 0;
    Atomics.store(flags, 1, done);
    Atomics.notify(flags, 1);
  }
};
`;
const NODE_SCRIPT = `${SCRIPT}
const { parentPort, workerData } = require("node:worker_threads");
parentPort.postMessage("ready");
work(workerData);`;
const WEB_SCRIPT = `${SCRIPT}
self.onmessage = ({ data }) => { self.postMessage("ready"); work(data); };`;

interface Task {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  block: number;
}

/** A worker as this thread sees it. */
interface Hand {
  flags: Int32Array;
  numbers: Float64Array;
}

/** Starts a worker; resolves to the way to end it when it is ready for work. */
async function nodeWorker(task: Task): Promise<() => void> {
  const { Worker } = await nodeModule<typeof import("node:worker_threads")>("node:worker_threads");
  const worker = new Worker(NODE_SCRIPT, { eval: true, workerData: task, execArgv: [] });
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  worker.unref();
  return () => void worker.terminate();
}

async function webWorker(task: Task): Promise<() => void> {
  const url = URL.createObjectURL(new Blob([WEB_SCRIPT], { type: "text/javascript" }));
  const worker = new Worker(url);
  await new Promise<void>((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = (event) => reject(new Error(event.message || "the worker script was not allowed to run"));
    worker.postMessage(task);
  });
  URL.revokeObjectURL(url);
  return () => worker.terminate();
}

/** May this thread sleep? The main thread of a browser may not. */
function maySleep(flags: Int32Array): boolean {
  try {
    Atomics.wait(flags, 0, -1, 0);
    return true;
  } catch {
    return false;
  }
}

/** `blocks`: where the blocks of the workers begin; `host`: the kernels of this thread, on the same memory. */
export async function crew(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  host: Host,
  blocks: number[],
): Promise<Crew> {
  const hands = blocks.map(
    (block): Hand => ({
      flags: new Int32Array(memory.buffer, block, 4),
      numbers: new Float64Array(memory.buffer, block + 64, ARGUMENTS + 1),
    }),
  );
  const started = await Promise.allSettled(
    blocks.map((block) => (isNode() ? nodeWorker : webWorker)({ module, memory, block })),
  );
  const ends = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failure = started.find((result) => result.status === "rejected");
  if (failure) {
    for (const end of ends) end();
    throw new EngineError(
      `wasm: a worker for threads = ${blocks.length + 1} did not start (${failure.reason?.message}); use threads = 1.`,
    );
  }
  const sleeps = maySleep(hands[0]!.flags);
  let jobs = 0;

  function start({ flags, numbers }: Hand, kernel: SharedKernel, args: number[]): void {
    numbers.set(args);
    flags[2] = KERNELS.indexOf(kernel);
    flags[3] = args.length;
    Atomics.add(flags, 0, 1);
    Atomics.notify(flags, 0);
  }

  function finish({ flags, numbers }: Hand): number {
    for (let i = 0; ; i++) {
      const done = Atomics.load(flags, 1);
      if (done === flags[0]) return numbers[ARGUMENTS]!;
      if (sleeps && i >= SPINS) Atomics.wait(flags, 1, done);
    }
  }

  return {
    share(kernel, count, grain, part, cut = (fraction) => count * fraction) {
      jobs++;
      const threads = hands.length + 1;
      const bound = (t: number): number =>
        t === threads ? count : Math.min(count, Math.round(cut(t / threads) / grain) * grain);
      const busy = hands.filter((hand, i) => {
        const [first, end] = [bound(i + 1), bound(i + 2)];
        if (first < end) start(hand, kernel, part(first, end, i + 1));
        return first < end;
      });
      const own = host.exports[kernel] as (...args: number[]) => number | undefined;
      let sum = bound(1) > 0 ? (own(...part(0, bound(1), 0)) ?? 0) : 0;
      for (const hand of busy) sum += finish(hand);
      return sum;
    },

    jobs: () => jobs,

    end() {
      for (const end of ends) end();
    },
  };
}
