import type { Port, Work } from "./messages.js";

/** The page behind the worker that runs this; undefined outside of a worker */
export function portOfWeb(): Port | undefined {
  const scope = globalThis as {
    WorkerGlobalScope?: unknown;
    postMessage?(message: unknown): void;
    addEventListener?(kind: "message", listener: (event: { data: Work }) => void): void;
    close?(): void;
  };
  const { postMessage, addEventListener } = scope;
  if (scope.WorkerGlobalScope === undefined || !postMessage || !addEventListener) return undefined;
  return {
    postMessage: (message) => postMessage.call(scope, message),
    onWork: (received) => addEventListener.call(scope, "message", ({ data }) => received(data)),
    close: () => scope.close?.(),
  };
}
