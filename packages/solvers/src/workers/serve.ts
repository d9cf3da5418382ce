/** The module of a worker: f lives here, and problems come by messages. */

import type { ItemF, ManyOptions, View } from "@expen/core";
import { problemSolver } from "@expen/core";
import { onEngine } from "@expen/linalg/engine";
import { parts } from "../solvers.js";
import { portHere } from "./host.js";
import { failureOf, isEnd, type Work } from "./messages.js";

/** The options of `minimizeMany` but those that the other side of the worker has */
export type ServeOptions<P extends View, T> = Omit<
  ManyOptions<P, T>,
  "data" | "count" | "starts" | "seed" | "start" | "progress" | "signal"
>;

/**
 * Makes the module that calls it a worker of `minimizeOnWorkers`:
 *
 *     // clouds-worker.js
 *     import { specialOrthogonal } from "expen";
 *     import { serveItems } from "expen/workers";
 *     import { formula, mul, norm2, sub } from "expen/tape";
 *     serveItems(formula((R, { P, Q }) => norm2(sub(mul(R, P), Q))), { on: specialOrthogonal(3) });
 *
 * The manifold is bound and a formula compiled once in each worker, whose matrix products use one thread.
 */
export async function serveItems<T, P extends View>(f: ItemF<P, T>, o: ServeOptions<P, T>): Promise<void> {
  const port = portHere();
  if (!port) {
    throw new Error("serveItems: this module is not in a worker; start it with new Worker(…) and minimizeOnWorkers.");
  }
  try {
    await onEngine(
      o.engine,
      (name) => parts.open({ size: { n: 0, p: 0 }, notes: [] }, name),
      (E) => {
        const solve = problemSolver<P, T>(parts, f, o, E);
        const answer = async ({ problems }: Work): Promise<void> => {
          const solved = [];
          for (const problem of problems) solved.push(await solve(problem).catch(failureOf));
          port.postMessage({ kind: "solved", solved });
        };
        return new Promise<void>((end) => {
          let last: Promise<void> = Promise.resolve();
          port.onWork((work) => {
            last = last.then(() => (isEnd(work) ? end() : answer(work)));
          });
          port.postMessage({ kind: "ready" });
        });
      },
    );
    port.close();
  } catch (error) {
    port.postMessage({ kind: "broken", failure: failureOf(error) });
  }
}
