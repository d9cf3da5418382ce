import type { Evaluations } from "@expen/core";
import type { Matrix } from "@expen/linalg";
import type { Instance } from "./instance.js";

/** Wall time or processor time of this process, in seconds. On a busy machine only processor time can be compared, and on one thread only. */
export const clocks = {
  wall: (): number => performance.now() / 1000,
  cpu: (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};
export type Clock = keyof typeof clocks;

/** The clock of an option of the command line. */
export function clockNamed(name = "wall"): Clock {
  if (!Object.hasOwn(clocks, name)) throw new RangeError(`--clock is '${name}'; it must be wall or cpu.`);
  return name as Clock;
}

/** One run of a contender. */
export interface Task {
  /** gradient norm at which the run stops */
  tol: number;
  /** value of f at projected iterates that ends the run instead; the clock stops while an observer projects */
  target: number | null;
  /** seconds after which the run is stopped */
  limit: number;
  clock: Clock;
  /** number of runs in sequence, of which the best counts; 1 by default */
  repeats?: number;
}

export interface Outcome {
  /** "converged", "iterations", "time", "failed" or another kind of reason */
  status: string;
  /** in the contender's own words */
  text: string;
  /** absent where nothing was measured */
  seconds?: number;
  evaluations?: Evaluations;
  iterations?: number | null;
  X?: Matrix;
}

export interface Contender {
  name: string;
  /** program and versions */
  description: string;
  /** the reason why it cannot take part in a row, if any */
  refuses?(instance: Instance): string | undefined;
  run(instance: Instance, task: Task): Outcome | Promise<Outcome>;
  end(): void;
}

/** A run of a contender, in which an exception is a failure among the results. */
export async function attempt<I>(
  { run }: { run(instance: I, task: Task): Outcome | Promise<Outcome> },
  instance: I,
  task: Task,
): Promise<Outcome> {
  try {
    return await run(instance, task);
  } catch (error) {
    return { status: "failed", text: error instanceof Error ? error.message : String(error) };
  }
}

/** Evaluations of f with its gradient; a product with the Hessian counts as one more. */
export const work = ({ f, grad, hvp }: Evaluations): number => Math.max(f, grad) + hvp;
