/** `minimizeMany` on several cores: problems go to workers in small groups, so that none is idle before the end. */

import type { ManyResult, Plain, PointLike, Problem, ProblemList, Solution, View } from "@expen/core";
import { manyResult, mapView, problemsOf } from "@expen/core";
import type { Tall } from "@expen/linalg";
import {
  anything,
  chosenOptions,
  described,
  func,
  hostMatrix,
  integer,
  list,
  type SchemaOf,
  signal,
  whole,
} from "@expen/linalg";
import { cores } from "./host.js";
import { type Answer, END, errorOf, type Failure, listen, type WorkerLike } from "./messages.js";
import { pace } from "./pace.js";

/** Options of `minimizeOnWorkers`: the items or starts, the number of workers, and a function for progress */
export interface WorkersOptions<P extends View = Tall, T = unknown> extends ProblemList<P, T> {
  /** the point at which every problem begins */
  start?: PointLike<P>;
  /** of the random starts */
  seed?: number;
  /** their number; left out: one, and as many as there are cores once the problems that are left take long enough for it */
  workers?: number;
  /** is told how many problems are done, and at the end */
  progress?(o: { done: number; of: number }): void;
  /** ends the workers; the call throws the signal's reason */
  signal?: AbortSignal;
}

const SCHEMA: SchemaOf<WorkersOptions> = {
  data: list,
  count: whole(1),
  starts: anything,
  start: anything,
  seed: integer,
  workers: whole(1),
  progress: func,
  signal,
};

/** Milliseconds for the first answer of the first worker, after which the others are opened without it: a start takes half of them. */
const LONG = 2000;
/** Milliseconds that a worker has to end by itself: more than a group of small problems takes, less than a user waits for the prompt */
const PATIENCE = 3000;

/**
 * `minimizeMany` on several cores. `open` starts a worker, whose module calls `serveItems` with f and its options:
 *
 *     const open = () => new Worker(new URL("./clouds-worker.js", import.meta.url), { type: "module" });
 *     const { results } = await minimizeOnWorkers(open, { data: clouds });
 *
 * Items are copied to the workers by messages; arrays on a SharedArrayBuffer are shared. Results are those of `minimizeMany`. The first
 * worker begins alone; the others are opened when its pace shows that the rest takes longer than they take to start.
 */
export async function minimizeOnWorkers<T, P extends View = Tall>(
  open: () => WorkerLike,
  options: WorkersOptions<P, T>,
): Promise<ManyResult<Plain<P>>> {
  const began = performance.now();
  if (typeof open !== "function") {
    throw new TypeError(`minimizeOnWorkers: open is ${described(open)}; give a function that starts a worker.`);
  }
  const o = chosenOptions("minimizeOnWorkers", options, SCHEMA) as WorkersOptions<P, T>;
  o.signal?.throwIfAborted();
  const problems = problemsOf<P, T>(SERVED, o);
  const of = problems.length;
  const solutions = new Array<Solution<Plain<P>> | Error>(of);
  const workers: WorkerLike[] = [];
  const most = Math.min(o.workers ?? cores(), of);
  const speed = pace();
  let [next, done] = [0, 0];
  let waiting: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      if (of === 0) resolve();
      o.signal?.addEventListener("abort", () => reject(o.signal!.reason), { once: true });
      const openAll = (): void => {
        while (workers.length < most) workers.push(begin());
      };
      const failed = ({ message }: Failure): void => reject(new Error(`minimizeOnWorkers: ${message}.`));
      const begin = (): WorkerLike => {
        const worker = open();
        let group: readonly Problem<P, T>[] = [];
        let sent = 0;
        listen(worker, received, failed);
        return worker;

        function received(answer: Answer): void {
          if (answer.kind === "broken") {
            reject(errorOf(answer.failure));
            return;
          }
          if (answer.kind === "solved") {
            clearTimeout(waiting);
            for (const [i, one] of answer.solved.entries()) {
              solutions[group[i]!.k] = "message" in one ? errorOf(one) : withMethods(one);
            }
            done += group.length;
            speed.took(performance.now() - sent, group.length);
            if (speed.pays(of - next, performance.now() - began)) openAll();
            o.progress?.({ done, of });
            if (done === of) resolve();
          }
          group = problems.slice(next, (next += speed.group(of - next, most)));
          if (group.length === 0) return;
          sent = performance.now();
          worker.postMessage({ problems: group });
        }
      };
      workers.push(begin());
      if (o.workers === undefined) waiting = setTimeout(openAll, LONG);
      else openAll();
    });
  } finally {
    clearTimeout(waiting);
    for (const worker of workers) dismiss(worker);
  }
  return manyResult(solutions, began);
}

/**
 * Ends a worker after the problems that it has. One that is terminated within a call of a native library ends the whole process with it,
 * in Node; this is left for a worker that does not end.
 */
function dismiss(worker: WorkerLike): void {
  worker.postMessage(END);
  const timer = setTimeout(() => void worker.terminate(), PATIENCE);
  worker.on?.("exit", () => clearTimeout(timer));
}

/** A message copies the numbers of matrices, without the methods of HostMatrix. */
function withMethods<P>({ result, ...rest }: Solution<Plain<P>>): Solution<Plain<P>> {
  const X = mapView(result.X as View, hostMatrix) as Plain<P>;
  return { ...rest, result: { ...result, X } };
}

/** f is in the worker's module; here it counts as a function of an item. */
const SERVED = (): void => undefined;
