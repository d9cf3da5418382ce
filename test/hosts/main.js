import { solve } from "./solve.js";

function solveInWorker(...options) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
    worker.postMessage(options);
  });
}

/** `where`: "here" or "worker" */
export const answer = (where, name, threads) =>
  (where === "worker" ? solveInWorker : solve)(name, Number(threads)).catch((error) => `${error}`);
