import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "vite";
import { afterAll } from "vitest";
import { aliases } from "../../../../../scripts/sources.mjs";
import { mailboxes } from "./threads.js";

let programs: Promise<string> | undefined;

/** A program with all that it needs in one file, which a thread or a process loads in no time */
export async function bundled(entry: URL, folder = tmpdir()): Promise<string> {
  const outDir = await mkdtemp(join(folder, "expen-ranks-"));
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias: aliases },
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(entry),
      outDir,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "programs.mjs" } },
    },
  });
  return join(outDir, "programs.mjs");
}

/** One job after the other, each with a memory of its own */
const CODE = `
  const { parentPort, workerData: file } = require("node:worker_threads");
  const programs = import(file);
  parentPort.on("message", (job) => programs
    .then(({ onRank }) => onRank(job))
    .then((answer) => parentPort.postMessage({ answer }))
    .catch((error) => parentPort.postMessage({ failed: error.stack })));
`;

/** Threads that have the program and wait for a job: to load it takes longer than most jobs */
const idle: Worker[] = [];
afterAll(() => Promise.all(idle.splice(0).map((worker) => worker.terminate())));

/** What `job` of programs.ts returns on each of `size` ranks */
export async function onThreads<T>(size: number, job: string, options: unknown = {}): Promise<T[]> {
  const memory = mailboxes(size);
  const file = pathToFileURL(await (programs ??= bundled(new URL("./programs.ts", import.meta.url)))).href;
  const rank = (rank: number): Promise<{ answer: T; failed?: string }> =>
    new Promise((resolve, reject) => {
      const worker = idle.pop() ?? new Worker(CODE, { eval: true, workerData: file });
      worker.once("error", reject).once("message", (answer) => {
        worker.off("error", reject);
        idle.push(worker);
        resolve(answer);
      });
      worker.postMessage({ memory, rank, size, job, options });
    });
  const answers = await Promise.all(Array.from({ length: size }, (_, r) => rank(r)));
  for (const { failed } of answers) if (failed) throw new Error(failed);
  return answers.map(({ answer }) => answer);
}
