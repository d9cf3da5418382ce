import type { Evaluations } from "@expen/core";
import type { Matrix } from "@expen/linalg";
import type { Instance } from "./instance.js";

/** Seconds by the wall, or of this process's processors: on a busy machine only those can be compared, and only on one thread. */
export const clocks = {
  wall: (): number => performance.now() / 1000,
  cpu: (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};
export type Clock = keyof typeof clocks;

/** From the command line. */
export function clockNamed(name = "wall"): Clock {
  if (!Object.hasOwn(clocks, name)) throw new RangeError(`--clock is '${name}'; it must be wall or cpu.`);
  return name as Clock;
}

/** What a contender is asked to do, once. */
export interface Task {
  /** norm of the gradient at which it stops */
  tol: number;
  /** instead: the value of f at which the run ends, seen at projected iterates; the clock stands still while an observer projects */
  target: number | null;
  /** seconds after which the run is given up */
  limit: number;
  clock: Clock;
  /** so often one after the other, the best of which counts; once where left out */
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
  /** what it is, with versions */
  description: string;
  /** why it cannot take part in this row, if so */
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
