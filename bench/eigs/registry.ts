/** Packages of the registry with eigenvalues or singular values, installed in a folder of their own beside the results. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Matrix } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import type { Clock } from "../contender.js";
import { ROOT } from "../peers.js";
import type { EigsCase } from "./cases.js";
import type { RegistryReply, RegistryTask } from "./registry-worker.js";

const PACKAGES = { "ml-matrix": "6.15.1", numeric: "1.2.6", "svd-js": "1.1.1", eigen: "0.2.2" };
const FOLDER = join(ROOT, ".expen/registry");
/** Largest smaller side of a matrix: all values are computed, in (10·n)³ operations at least */
const LARGEST = 1000;

export interface RegistryContender {
  readonly name: string;
  /** undefined where the package has nothing for this case */
  run(one: EigsCase, limit: number, clock: Clock): Promise<{ seconds: number; X: Matrix } | string | undefined>;
  end(): Promise<unknown>;
}

/** The packages that are there, and why others are not */
export function openRegistry(): { contenders: RegistryContender[]; missing: Record<string, string> } {
  const missing: Record<string, string> = {};
  const absent = Object.entries(PACKAGES).filter(([name]) => !existsSync(join(FOLDER, "node_modules", name)));
  if (absent.length > 0) {
    console.error(`Installing ${absent.map(([name]) => name).join(", ")} …`);
    mkdirSync(FOLDER, { recursive: true });
    if (!existsSync(join(FOLDER, "package.json"))) writeFileSync(join(FOLDER, "package.json"), '{ "private": true }\n');
    for (const [name, version] of absent) {
      try {
        const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`];
        execFileSync("npm", words, { cwd: FOLDER, stdio: "ignore" });
      } catch {
        missing[name] = "npm could not install it";
      }
    }
  }
  const names = Object.keys(PACKAGES).filter((name) => !missing[name]);
  return { contenders: names.map(contender), missing };
}

/** Wall time over the limit after which a package is ended: it shares its core on a busy machine */
const PATIENCE = 4;

function contender(name: string): RegistryContender {
  let worker: Worker | undefined;
  /** smaller side of a matrix that took too long */
  let tooLarge = Number.POSITIVE_INFINITY;
  return {
    name,
    async run(one, limit, clock) {
      const least = Math.min(one.A.rows, one.A.cols);
      if (one.B || least > LARGEST) return undefined;
      const late = `stopped after ${limit} s, or for a smaller matrix`;
      if (least >= tooLarge) return late;
      const A = isSparse(one.A) ? sparseToDense(one.A) : one.A;
      const rows = Array.from({ length: A.rows }, (_, i) => Array.from(A.data.subarray(i * A.cols, (i + 1) * A.cols)));
      worker ??= new Worker(new URL("./registry-worker.js", import.meta.url), { workerData: { folder: FOLDER, name } });
      const { p, which, sigma, kind } = one;
      const task: RegistryTask = {
        ...{ rows, p, which, clock, isSingular: kind === "singular values" },
        ...(sigma !== undefined && { sigma }),
      };
      const reply = await replyOf(worker, task, PATIENCE * limit);
      if (reply === undefined) {
        await worker.terminate();
        worker = undefined;
        tooLarge = least;
        return late;
      }
      if ("failure" in reply) return reply.failure === "absent" ? undefined : reply.failure;
      const { columns, seconds } = reply;
      const data = new Float64Array(columns[0]!.length * p);
      columns.forEach((column, j) => {
        column.forEach((v, i) => {
          data[i * p + j] = v;
        });
      });
      return { seconds, X: { rows: columns[0]!.length, cols: p, data } };
    },
    end: () => worker?.terminate() ?? Promise.resolve(),
  };
}

function replyOf(worker: Worker, task: RegistryTask, seconds: number): Promise<RegistryReply | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(undefined), 1000 * seconds);
    const done = (reply: RegistryReply | undefined): void => {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("error");
      resolve(reply);
    };
    worker.once("message", done).once("error", (error) => done({ failure: (error as Error).message }));
    worker.postMessage(task);
  });
}
