/**
 * Worker threads on one shared memory. A job is the same kernel on disjoint parts: this thread takes the first part, each worker one of
 * the others, and `share` returns after all of them. A worker that has died is an error, never an endless wait.
 *
 * Each worker has a block of the memory: five flags (number of the job, number of the last finished job, kernel, number of arguments,
 * failure), from byte 64 the arguments as doubles, then the result.
 */
import { digits, EngineError } from "@expen/linalg";
import { hire } from "./hire.js";
import type { Host } from "./kernels.js";
import {
  ARGUMENTS,
  COUNT,
  DONE,
  FAILED,
  FLAGS,
  type Hire,
  type Hired,
  JOB,
  KERNEL,
  KERNELS,
  type SharedKernel,
  SPINS,
  STOP,
} from "./worker.js";

export interface Crew {
  /**
   * Runs the kernel on parts of 0…count with bounds at multiples of `grain`, and returns the sum of the results. `part` gives the arguments
   * for first…end − 1 on a thread, `cut` the bound below which a fraction of the work lies.
   */
  share(
    kernel: SharedKernel,
    count: number,
    grain: number,
    part: (first: number, end: number, thread: number) => number[],
    cut?: (fraction: number) => number,
  ): number;
  /** number of jobs so far */
  jobs(): number;
  end(): void;
}

/** Time limits for a worker; tests set shorter ones. */
export interface Patience {
  /** seconds for its start */
  start?: number;
  /** seconds for its part of a job, in addition to `times` the time that this thread needs for its own part of the same size */
  seconds?: number;
  times?: number;
}

/** Milliseconds between two checks of a late worker. Checks are counted, not hours, so that a suspended process does not time out. */
const CHECK = 250;

/** A worker and its block of the memory */
interface Hand extends Hired {
  flags: Int32Array;
  numbers: Float64Array;
}

/** Whether this thread may sleep; the main thread of a browser may not. */
function canSleep(flags: Int32Array): boolean {
  try {
    Atomics.wait(flags, 0, -1, 0);
    return true;
  } catch {
    return false;
  }
}

/** A function apart, so that the closures of the crew do not refer to the memory, which is then free after `dispose`. */
async function hireAll(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  blocks: number[],
  seconds: number | undefined,
  hireOne: Hire,
): Promise<Hand[]> {
  const started = await Promise.allSettled(blocks.map((block) => hireOne({ module, memory, block }, seconds)));
  const hands = started.flatMap((result, i): Hand[] => {
    if (result.status === "rejected") return [];
    const flags = new Int32Array(memory.buffer, blocks[i]!, FLAGS);
    const numbers = new Float64Array(memory.buffer, blocks[i]! + 64, ARGUMENTS + 1);
    return [{ ...result.value, flags, numbers }];
  });
  const failure = started.find((result) => result.status === "rejected");
  if (!failure) return hands;
  for (const hand of hands) hand.end();
  throw new EngineError(
    `wasm: a worker for threads = ${blocks.length + 1} did not start (${failure.reason?.message}); use threads = 1.`,
  );
}

/** `blocks`: addresses of the blocks of the workers; `host`: the kernels of this thread, on the same memory. */
export async function crew(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  host: Host,
  blocks: number[],
  { start: startSeconds, seconds: grace = 10, times = 20 }: Patience = {},
  hireOne: Hire = hire,
): Promise<Crew> {
  const hands = await hireAll(module, memory, blocks, startSeconds, hireOne);
  const sleeps = canSleep(hands[0]!.flags);
  let jobs = 0;
  /** the error that ended the crew */
  let failure: string | undefined;

  function start({ flags, numbers }: Hand, kernel: SharedKernel, args: number[]): void {
    numbers.set(args);
    flags[KERNEL] = KERNELS.indexOf(kernel);
    flags[COUNT] = args.length;
    Atomics.add(flags, JOB, 1);
    Atomics.notify(flags, JOB);
  }

  /** The result of the worker's part; `own`: milliseconds of this thread's part. */
  function finish(hand: Hand, kernel: SharedKernel, own: number): number {
    const { flags } = hand;
    const checks = Math.ceil((1000 * grace + times * own) / CHECK);
    for (let i = 0; i < SPINS; i++) if (Atomics.load(flags, DONE) === flags[JOB]) return readResult(hand, kernel);
    for (let i = 0; i < checks; i++) {
      if (waitForJob(flags)) return readResult(hand, kernel);
      // a part that was finished before the death of the worker counts
      if (!hand.alive() && !waitForJob(flags)) return fail(kernel, "was lost");
    }
    return fail(kernel, `gave no result for ${digits((checks * CHECK) / 1000)} s`);
  }

  function readResult({ flags, numbers }: Hand, kernel: SharedKernel): number {
    const bytes = flags[FAILED]!;
    if (bytes === 0) return numbers[ARGUMENTS]!;
    const text = new Uint8Array(numbers.buffer, numbers.byteOffset, bytes).slice();
    return fail(kernel, `threw ${new TextDecoder().decode(text)}`);
  }

  /** Waits until the job is done, at most until the next check; returns whether it is done. */
  function waitForJob(flags: Int32Array): boolean {
    const until = performance.now() + CHECK;
    for (let left = CHECK; left > 0; left = until - performance.now()) {
      const done = Atomics.load(flags, DONE);
      if (done === flags[JOB]) return true;
      if (sleeps) Atomics.wait(flags, DONE, done, left);
      else for (let i = 0; i < SPINS && Atomics.load(flags, DONE) === done; i++);
    }
    return Atomics.load(flags, DONE) === flags[JOB];
  }

  function end(): void {
    for (const { flags, end } of hands.splice(0)) {
      flags[KERNEL] = STOP;
      Atomics.add(flags, JOB, 1);
      Atomics.notify(flags, JOB);
      end();
    }
  }

  function fail(kernel: SharedKernel, event: string): never {
    failure = `wasm: a worker ${event} in the middle of '${kernel}'; dispose this engine and open a new one, or use threads = 1.`;
    end();
    throw new EngineError(failure);
  }

  return {
    share(kernel, count, grain, part, cut = (fraction) => count * fraction) {
      if (failure) throw new EngineError(failure);
      jobs++;
      const threads = hands.length + 1;
      const bound = (t: number): number =>
        t === threads ? count : Math.min(count, Math.round(cut(t / threads) / grain) * grain);
      const busy = hands.filter((hand, i) => {
        const [first, end] = [bound(i + 1), bound(i + 2)];
        if (first < end) start(hand, kernel, part(first, end, i + 1));
        return first < end;
      });
      const began = performance.now();
      const own = host.exports[kernel] as (...args: number[]) => number | undefined;
      let sum = bound(1) > 0 ? (own(...part(0, bound(1), 0)) ?? 0) : 0;
      const milliseconds = performance.now() - began;
      for (const hand of busy) sum += finish(hand, kernel, milliseconds);
      return sum;
    },

    jobs: () => jobs,

    end,
  };
}
