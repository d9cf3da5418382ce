/** Our solvers on a problem of the suite, to its target. */

import { objectiveOn } from "@expen/core";
import { openEngine } from "@expen/engines";
import type { SolverName } from "@expen/solvers";
import { solveOn } from "@expen/solvers";
import { clocks, type Outcome, type Task } from "../contender.js";
import type { Instance } from "./instance.js";

export interface ConstrainedContender {
  name: string;
  description: string;
  run(instance: Instance, task: Task): Outcome | Promise<Outcome>;
  end(): void;
}

/** The run ends where f at the projected iterate reaches the target; the clock stops for these projections, except for the last one. */
export async function openOwnOn(name: string, threads: number): Promise<ConstrainedContender> {
  const [solver, engine] = name.split("@") as [SolverName, "blas"];
  const E = await openEngine(engine, { threads });
  return {
    name,
    description: `${solver} on ${E.description}`,
    async run({ drawn: { on, f }, start }, { tol, target, limit, clock }) {
      const now = clocks[clock];
      const given = f(E);
      const began = now();
      let stopped = 0;
      const bound = on.bind(E);
      const objective = objectiveOn(bound, given);
      const nearest = bound.on.point();
      const options = { solver, start, tol, maxSeconds: limit, certificate: "stationary" } as object;
      const steps = await solveOn({ on, bound }, objective, options);
      for (;;) {
        const next = steps.next();
        if (next.done) {
          const { reason, iterations, evaluations } = next.value;
          const text = `ended before the target: ${reason.text}`;
          return { status: "failed", text, seconds: now() - began - stopped, evaluations, iterations };
        }
        const before = now();
        bound.on.project(nearest, next.value.X);
        const projected = now();
        const reached = objective.f(nearest.X) <= target!;
        stopped += now() - (reached ? projected : before);
        if (!reached) continue;
        const { k, evaluations } = next.value;
        const seconds = now() - began - stopped;
        return { status: "converged", text: "target reached", seconds, evaluations: { ...evaluations }, iterations: k };
      }
    },
    end: () => E.dispose(),
  };
}
