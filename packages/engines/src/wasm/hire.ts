/** Starts a worker of Node, Deno or Bun, and notices its end. A build for browsers takes hire-browser.ts instead. */
import { hireBy, hire as hireInBrowser } from "./hire-browser.js";
import { type Hire, SCRIPT, START_SECONDS, within } from "./worker.js";

// The work starts from the event loop: Node reports the state of a worker to other threads only after the loop has started.
const NODE_SCRIPT = `${SCRIPT}
const { parentPort, workerData } = require("node:worker_threads");
setImmediate(() => work(workerData, () => parentPort.postMessage("ready")));`;

const hireInNode: Hire = async (task, seconds = START_SECONDS) => {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(NODE_SCRIPT, { eval: true, workerData: task, execArgv: [] });
  let hasEnded = false;
  const end = (): void => void worker.terminate();
  try {
    await within(seconds, (ready, fail) => {
      worker.once("message", ready).on("error", fail);
      worker.once("exit", (code) => {
        hasEnded = true;
        fail(new Error(`it ended with code ${code}`));
      });
    });
  } catch (error) {
    end();
    throw error;
  }
  worker.unref();
  // the event 'exit' does not arrive while this thread waits; the idle time of a stopped thread is −1 at once, if it was read before
  const isStopped = (): boolean => worker.performance.eventLoopUtilization().idle < 0;
  isStopped();
  return { alive: () => !hasEnded && !isStopped(), end };
};

/** Deno and Bun have the workers of browsers; their version of Node's does not report a stopped thread. Deno accepts no blob: URL. */
const hireInOthers = hireBy((script) => ({
  worker: new Worker(`data:text/javascript,${encodeURIComponent(script)}`, { type: "module" }),
}));

export const hire: Hire = (task, seconds) => {
  if (globalThis.process?.versions?.node === undefined) return hireInBrowser(task, seconds);
  return ("Deno" in globalThis || "Bun" in globalThis ? hireInOthers : hireInNode)(task, seconds);
};
