import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "vite";
import { mailboxes } from "./threads.js";

let programs: Promise<string> | undefined;

/** A program with all that it needs in one file, which a thread or a process loads in no time */
export async function bundled(entry: URL, folder = tmpdir()): Promise<string> {
  const outDir = await mkdtemp(join(folder, "expen-ranks-"));
  await build({
    configFile: false,
    logLevel: "silent",
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

const CODE = `
  const { parentPort, workerData: { file, ...rest } } = require("node:worker_threads");
  import(file)
    .then(({ onRank }) => onRank(rest))
    .then((answer) => parentPort.postMessage({ answer }))
    .catch((error) => parentPort.postMessage({ failed: error.stack }));
`;

/** What `job` of programs.ts returns on each of `size` ranks */
export async function onThreads<T>(size: number, job: string, options: unknown = {}): Promise<T[]> {
  const memory = mailboxes(size);
  const file = pathToFileURL(await (programs ??= bundled(new URL("./programs.ts", import.meta.url)))).href;
  const rank = (rank: number): Promise<{ answer: T; failed?: string }> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(CODE, { eval: true, workerData: { file, memory, rank, size, job, options } });
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  const answers = await Promise.all(Array.from({ length: size }, (_, r) => rank(r)));
  for (const { failed } of answers) if (failed) throw new Error(failed);
  return answers.map(({ answer }) => answer);
}
