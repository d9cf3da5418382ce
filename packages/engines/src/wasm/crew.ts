/**
 * Worker threads on one shared memory. A job is the same kernel on disjoint parts; this thread takes the first part, each worker one
 * of the others, and all are done when `share` returns. A worker that is lost is an error, never an endless wait.
 *
 * Each worker has a block of the memory: the flags (job number, job number done, kernel, count of arguments, failure), from byte 64 on
 * the arguments as doubles, at last the result.
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

/** How long is waited for a worker; others than these for tests. */
export interface Patience {
  /** seconds to start in */
  start?: number;
  /** seconds for a part beyond `times` the time of this thread's own part, which is as large */
  seconds?: number;
  times?: number;
}

/** Milliseconds between two looks at a worker that is late. A process that was stopped for hours has waited one look. */
const LOOK = 250;

/** A worker as this thread sees it. */
interface Hand extends Hired {
  flags: Int32Array;
  numbers: Float64Array;
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

/** A function of its own: what lives on must not know the memory, so that a disposed engine gives it back. */
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

/** `blocks`: where the blocks of the workers begin; `host`: the kernels of this thread, on the same memory. */
export async function crew(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  host: Host,
  blocks: number[],
  { start: startSeconds, seconds: grace = 10, times = 20 }: Patience = {},
  hireOne: Hire = hire,
): Promise<Crew> {
  const hands = await hireAll(module, memory, blocks, startSeconds, hireOne);
  const sleeps = maySleep(hands[0]!.flags);
  let jobs = 0;
  /** why no job can be shared any more */
  let broken: string | undefined;

  function start({ flags, numbers }: Hand, kernel: SharedKernel, args: number[]): void {
    numbers.set(args);
    flags[KERNEL] = KERNELS.indexOf(kernel);
    flags[COUNT] = args.length;
    Atomics.add(flags, JOB, 1);
    Atomics.notify(flags, JOB);
  }

  /** The result of the worker's part; `own`: the milliseconds that this thread's part took. */
  function finish(hand: Hand, kernel: SharedKernel, own: number): number {
    const { flags } = hand;
    const looks = Math.ceil((1000 * grace + times * own) / LOOK);
    for (let i = 0; i < SPINS; i++) if (Atomics.load(flags, DONE) === flags[JOB]) return result(hand, kernel);
    for (let look = 0; look < looks; look++) {
      if (waited(flags)) return result(hand, kernel);
      // what it finished just before it was lost counts
      if (!hand.alive() && !waited(flags)) return lost(kernel, "was lost");
    }
    return lost(kernel, `gave no result for ${digits((looks * LOOK) / 1000)} s`);
  }

  function result({ flags, numbers }: Hand, kernel: SharedKernel): number {
    const bytes = flags[FAILED]!;
    if (bytes === 0) return numbers[ARGUMENTS]!;
    const text = new Uint8Array(numbers.buffer, numbers.byteOffset, bytes).slice();
    return lost(kernel, `threw ${new TextDecoder().decode(text)}`);
  }

  /** Is the job done within one look? */
  function waited(flags: Int32Array): boolean {
    const until = performance.now() + LOOK;
    for (let left = LOOK; left > 0; left = until - performance.now()) {
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

  function lost(kernel: SharedKernel, how: string): never {
    broken = `wasm: a worker ${how} in the middle of '${kernel}'; dispose this engine and open a new one, or use threads = 1.`;
    end();
    throw new EngineError(broken);
  }

  return {
    share(kernel, count, grain, part, cut = (fraction) => count * fraction) {
      if (broken) throw new EngineError(broken);
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
