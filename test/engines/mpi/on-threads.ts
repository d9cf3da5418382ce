import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "vite";
import { mailboxes } from "./threads.js";

/** programs.ts with all that it needs in one file, which a thread loads in no time */
let programs: Promise<string> | undefined;

async function bundled(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "expen-ranks-"));
  const entry = fileURLToPath(new URL("./programs.ts", import.meta.url));
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: { ssr: entry, outDir, minify: false, rolldownOptions: { output: { entryFileNames: "programs.mjs" } } },
  });
  return pathToFileURL(join(outDir, "programs.mjs")).href;
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
  const file = await (programs ??= bundled());
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
