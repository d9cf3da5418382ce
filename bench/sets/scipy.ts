import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { findPython, ROOT, threadEnvironment } from "../peers.js";
import type { Posed } from "./general.js";
import type { OwnPosed } from "./own.js";

/** A problem and the method that is to solve it */
export type Job =
  | ({ readonly method: "slsqp" | "trust-constr" } & Posed)
  | ({ readonly method: "cdopt" | "slsqp-own" } & OwnPosed)
  | { method: "faq"; n: number; first: number[]; second: number[]; seed: number }
  | { method: "kmeans" | "nmf"; rows: number; A: number[]; p: number; seed: number };

export interface ScipyAnswer {
  readonly f: number | null;
  readonly evaluations: number;
  readonly violation: number | null;
  /** of equations of one's own */
  readonly stationarity?: number | null;
  readonly status: string;
  /** of clusters */
  readonly labels?: number[];
}

/** SciPy in a process of its own; undefined where there is none */
export interface Scipy {
  readonly version: string;
  /** the version of CDOpt, where it is installed */
  readonly cdopt: string | null;
  solve(job: Job): Promise<ScipyAnswer>;
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
  const { version, cdopt } = (await read()) as Pick<Scipy, "version" | "cdopt">;
  return {
    version,
    cdopt,
    async solve(job) {
      child.stdin!.write(`${JSON.stringify(job)}\n`);
      return (await read()) as ScipyAnswer;
    },
    end: () => void child.stdin!.end(),
  };
}
