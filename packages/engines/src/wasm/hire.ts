/** Starts a worker of Node or its kin, and learns when it is gone. A build for browsers takes hire-browser.ts in this place. */
import { hireBy, hire as hireInBrowser } from "./hire-browser.js";
import { type Hire, SCRIPT, START_SECONDS, within } from "./worker.js";

// From within the event loop, because only then Node tells other threads whether the worker still runs.
const NODE_SCRIPT = `${SCRIPT}
const { parentPort, workerData } = require("node:worker_threads");
setImmediate(() => work(workerData, () => parentPort.postMessage("ready")));`;

const hireInNode: Hire = async (task, seconds = START_SECONDS) => {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(NODE_SCRIPT, { eval: true, workerData: task, execArgv: [] });
  let gone = false;
  const end = (): void => void worker.terminate();
  try {
    await within(seconds, (ready, fail) => {
      worker.once("message", ready).on("error", fail);
      worker.once("exit", (code) => {
        gone = true;
        fail(new Error(`it ended with code ${code}`));
      });
    });
  } catch (error) {
    end();
    throw error;
  }
  worker.unref();
  // 'exit' is an event and so never comes while this thread waits; the idle time of a stopped thread is −1 at once,
  // if Node was asked for it before
  const stopped = (): boolean => worker.performance.eventLoopUtilization().idle < 0;
  stopped();
  return { alive: () => !gone && !stopped(), end };
};

/** Deno and Bun have workers as browsers do; of Node's they have a part, in which a stopped thread does not tell. Deno's take no blob:. */
const hireInOthers = hireBy((script) => ({
  worker: new Worker(`data:text/javascript,${encodeURIComponent(script)}`, { type: "module" }),
}));

export const hire: Hire = (task, seconds) => {
  if (globalThis.process?.versions?.node === undefined) return hireInBrowser(task, seconds);
  return ("Deno" in globalThis || "Bun" in globalThis ? hireInOthers : hireInNode)(task, seconds);
};
