import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { findPython, ROOT, threadEnvironment } from "../peers.js";
import type { Posed } from "./general.js";

export interface ScipyAnswer {
  readonly f: number | null;
  readonly evaluations: number;
  readonly violation: number | null;
  readonly status: string;
}

/** SciPy in a process of its own; undefined where there is none */
export interface Scipy {
  readonly version: string;
  solve(method: "slsqp" | "trust-constr", posed: Posed): Promise<ScipyAnswer>;
  end(): void;
}

export async function openScipy(): Promise<Scipy | undefined> {
  const python = findPython();
  if (!python) return undefined;
  const child: ChildProcess = spawn(python, [join(ROOT, "bench/peers/sets.py")], {
    env: { ...process.env, ...threadEnvironment(1), PYTHONDONTWRITEBYTECODE: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines: Interface = createInterface({ input: child.stdout! });
  const replies = lines[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const { value, done } = await replies.next();
    if (done) throw new Error("sets: the process of SciPy has ended.");
    return JSON.parse(value as string);
  };
  const { version } = (await read()) as { version: string };
  return {
    version,
    async solve(method, posed) {
      child.stdin!.write(`${JSON.stringify({ ...posed, method })}\n`);
      return (await read()) as ScipyAnswer;
    },
    end: () => void child.stdin!.end(),
  };
}
