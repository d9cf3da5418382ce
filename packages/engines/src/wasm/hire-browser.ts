/** Starts a worker of a browser, or of another host with the same interface, and notices its failure. */
import { type Hire, SCRIPT, START_SECONDS, within } from "./worker.js";

const WEB_SCRIPT = `${SCRIPT}
self.onmessage = ({ data }) => work(data, () => self.postMessage("ready"));`;

/** `open` starts the script; `opened` is called after its start or failure. */
export const hireBy =
  (open: (script: string) => { worker: Worker; opened?(): void }): Hire =>
  async (task, seconds = START_SECONDS) => {
    const { worker, opened } = open(WEB_SCRIPT);
    let hasFailed = false;
    const end = (): void => worker.terminate();
    worker.postMessage(task);
    try {
      await within(seconds, (ready, fail) => {
        worker.onmessage = () => ready();
        worker.onerror = (event) => {
          event.preventDefault();
          hasFailed = true;
          fail(new Error(event.message || "the worker script was not allowed to run"));
        };
      });
    } catch (error) {
      end();
      throw error;
    } finally {
      opened?.();
    }
    return { alive: () => !hasFailed, end };
  };

export const hire: Hire = hireBy((script) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return { worker: new Worker(url), opened: () => URL.revokeObjectURL(url) };
});
