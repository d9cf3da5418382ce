/** The Python contenders: each runs jobs in a process of its own (peers/peer.py), which is started again after a kill. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readNpy } from "@expen/data";
import type { Contender, Outcome, Task } from "./contender.js";

/** An instance as the peers read it. */
export interface Posed {
  readonly problem: string;
  readonly n: number;
  readonly p: number;
  /** paths of the .npy files of X0 and of the letters of f */
  readonly files: Record<string, string>;
  readonly folder: string;
}

/** The project's folder; this file runs from bench/dist. */
export const ROOT = fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../../" : "../", import.meta.url));
const PEER = join(ROOT, "bench/peers/peer.py");

/** The interpreter: EXPEN_PYTHON, that of `npm run bench:setup`, or python3 if it has SciPy; otherwise undefined. */
export function findPython(): string | undefined {
  if (process.env.EXPEN_PYTHON) return process.env.EXPEN_PYTHON;
  const own = join(ROOT, ".expen/peers/bin/python");
  if (existsSync(own)) return own;
  return spawnSync("python3", ["-c", "import scipy"], { stdio: "ignore" }).status === 0 ? "python3" : undefined;
}

/** Seconds after which a process is killed: a method that never evaluates f cannot stop itself. A busy machine gives it less than a core. */
const patience = ({ limit, clock }: Task): number => 30 + (clock === "cpu" ? 10 : 1) * limit;

interface Hello {
  versions: Record<string, string>;
  methods: string[];
  missing: Record<string, string>;
}

interface Reply extends Outcome {
  times: number[];
}

interface PeerProcess {
  hello: Hello;
  /** The reply, or undefined when the process ended or had to be killed. */
  ask(job: object, seconds: number): Promise<Reply | undefined>;
  kill(): void;
}

/** Every BLAS and OpenMP that a Python package may bring along. */
export function threadEnvironment(threads: number): Record<string, string> {
  const names = ["OPENBLAS", "MKL", "OMP", "BLIS", "VECLIB_MAXIMUM", "NUMEXPR"];
  return Object.fromEntries(names.map((name) => [`${name}_NUM_THREADS`, String(threads)]));
}

async function start(python: string, packageName: string, threads: number): Promise<PeerProcess | undefined> {
  const child: ChildProcess = spawn(python, [PEER, packageName], {
    env: { ...process.env, ...threadEnvironment(threads), PYTHONDONTWRITEBYTECODE: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.on("error", () => {}); // the output ends then too, which says enough
  child.stdin!.on("error", () => {});
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T | undefined> => {
    const { value } = await lines.next();
    return value === undefined ? undefined : (JSON.parse(value) as T);
  };
  const kill = (): void => void child.kill("SIGKILL");
  const hello = await next<Hello>();
  if (!hello) return undefined;
  return {
    hello,
    kill,
    async ask(job, seconds) {
      const timer = setTimeout(kill, seconds * 1000);
      child.stdin!.write(`${JSON.stringify(job)}\n`);
      const reply = await next<Omit<Reply, "times" | "seconds"> & { seconds: number[] }>();
      clearTimeout(timer);
      return reply && { ...reply, times: reply.seconds, seconds: Math.min(...reply.seconds) };
    },
  };
}

/** A contender for any problem that peers/ knows. */
export type PeerContender = Omit<Contender, "run"> & { run(instance: Posed, task: Task): Promise<Outcome> };

/** Opens a peer, or returns the reason why it cannot. */
export async function openPeer(name: string, python: string, threads: number): Promise<PeerContender | string> {
  const packageName = name.split("-")[0]!;
  const first = await start(python, packageName, threads);
  if (!first) return `${python} did not run ${PEER}`;
  const { versions, methods, missing } = first.hello;
  if (missing[packageName]) {
    first.kill();
    const setup = `npm run bench:setup${packageName === "geoopt" ? " -- --torch" : ""}`;
    return `${packageName} is missing (${missing[packageName]}); '${setup}' installs it`;
  }
  if (!methods.includes(name)) {
    first.kill();
    return `'${name}' is none of ${methods.join(", ")}`;
  }
  let peer: PeerProcess | undefined = first;
  return {
    name,
    description: Object.entries(versions)
      .map(([what, version]) => `${what} ${version}`)
      .join(", "),
    async run(instance: Posed, task: Task): Promise<Outcome> {
      peer ??= await start(python, packageName, threads);
      const out = join(instance.folder, `${name}.npy`);
      const { problem, n, p, files } = instance;
      const reply = await peer?.ask({ method: name, problem, n, p, files, out, ...task }, patience(task));
      if (!reply) {
        peer?.kill();
        peer = undefined;
        return { status: "failed", text: `the process ended, or gave no answer ${patience(task)} s long` };
      }
      const { status, text, times, ...rest } = reply;
      if (times.length === 0) return { status, text };
      return { ...rest, status, text, X: readNpy(readFileSync(out)).matrix };
    },
    end: () => peer?.kill(),
  };
}
