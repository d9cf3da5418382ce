/** Workers of Node. Deno and Bun have those of the web as well; host-browser.ts is the version for pages. */

import { availableParallelism } from "node:os";
import { parentPort } from "node:worker_threads";
import type { Port } from "./messages.js";
import { portOfWeb } from "./port-of-web.js";

export const cores: () => number = availableParallelism;

/** The other side of the worker that runs this; undefined outside of a worker */
export function portHere(): Port | undefined {
  if (!parentPort) return portOfWeb();
  const port = parentPort;
  return {
    postMessage: (message) => port.postMessage(message),
    onWork: (received) => void port.on("message", received),
    close: () => port.close(),
  };
}
