/** NumPy's matmul on one thread, in a Python process that reads jobs from its standard input. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { findPython } from "./peers.js";
import type { Runner } from "./timing.js";

const SERVER = `
import sys, time
import numpy as np
g = np.random.default_rng(1)
print("numpy " + np.__version__, flush=True)
products = {}
for line in sys.stdin:
    word = line.split()
    key = tuple(word[1:4])
    if key not in products:
        kind, n, p = word[1], int(word[2]), int(word[3])
        X, Y, S, B = (g.standard_normal(s) for s in ((n, p), (n, p), (p, p), (n, n) if kind == "apply" else (1, 1)))
        out = np.empty((p, p) if kind in ("gram", "tmul") else (n, p))
        left, right = {"gram": (X.T, X), "tmul": (X.T, Y), "mul": (X, S), "apply": (B, X)}[kind]
        products[key] = (left, right, out)
    left, right, out = products[key]
    start = time.perf_counter()
    for _ in range(int(word[4])):
        np.matmul(left, right, out=out)
    print(time.perf_counter() - start, flush=True)
`;

export interface NumPy {
  version: string;
  runner(kind: string, n: number, p: number): Runner;
  end(): void;
}

/** `server` takes lines `run <kind> <n> <p> <times>` and answers with seconds. Returns the reason in words without a Python with NumPy. */
export async function openNumPy(python = findPython() ?? "python3", server = SERVER): Promise<NumPy | string> {
  const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
  const child: ChildProcess = spawn(python, ["-c", server], { env, stdio: ["pipe", "pipe", "ignore"] });
  child.on("error", () => {}); // the output ends then too, which says enough
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => (await lines.next()).value;
  const version = await next();
  if (!version) return `no ${python} with NumPy; EXPEN_PYTHON may name one`;
  return {
    version,
    runner: (kind, n, p) => ({
      name: "numpy",
      async batch(times) {
        child.stdin!.write(`run ${kind} ${n} ${p} ${times}\n`);
        const seconds = Number(await next());
        if (!(seconds >= 0)) throw new Error(`${version} ended at ${kind} ${n}×${p}`);
        return seconds;
      },
    }),
    end: () => child.kill(),
  };
}
