/** Processor time of the main thread: other threads, which compile code and collect garbage, are not counted. */
import { readFileSync } from "node:fs";

type WithThreads = typeof process & { threadCpuUsage?(): { user: number; system: number } };

/** Nanoseconds on a processor, the first number of this file of Linux */
const SCHEDULE = "/proc/thread-self/schedstat";

/** In milliseconds: of the thread by Node 23.9 or Linux, otherwise of the whole process */
function choose(): { name: string; now(): number } {
  const { threadCpuUsage } = process as WithThreads;
  const of = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;
  if (threadCpuUsage) return { name: "main-thread CPU", now: () => of(threadCpuUsage.call(process)) };
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const scheduled = (): number => {
    // Linux brings the number up to date when the thread leaves its processor, or some milliseconds later
    Atomics.wait(cell, 0, 0, 0.01);
    return Number.parseInt(readFileSync(SCHEDULE, "latin1"), 10) / 1e6;
  };
  try {
    if (scheduled() > 0) return { name: "main-thread CPU", now: scheduled };
  } catch {
    // not Linux
  }
  return { name: "CPU of the process", now: () => of(process.cpuUsage()) };
}

export const clock: { readonly name: string; now(): number } = choose();
