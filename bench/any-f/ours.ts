/** Our solvers on an instance, with nothing but f and its gradient. */
import type { EngineName } from "../../src/engines/open.js";
import { openEngine } from "../../src/engines/open.js";
import type { SolverName } from "../../src/solvers/catalog.js";
import { solveStiefel } from "../../src/stiefel.js";
import type { Objective } from "../../src/types.js";
import { clocks, type Outcome, type Task } from "../contender.js";
import { type AnyInstance, objectiveOn } from "./instance.js";

export interface AnyContender {
  name: string;
  description: string;
  run(instance: AnyInstance, task: Task): Outcome | Promise<Outcome>;
  end(): void;
}

export async function openOwn(name: string, threads: number): Promise<AnyContender> {
  const [solver, engine] = name.split("@") as [SolverName, EngineName];
  const E = await openEngine(engine, { threads });
  let kept: { instance: AnyInstance; f: Objective } | undefined;
  return {
    name,
    description: `${solver} on ${E.description}`,
    run(instance, { tol, limit, clock }) {
      if (kept?.instance !== instance) kept = { instance, f: objectiveOn(E, instance, instance.data) };
      const now = clocks[clock];
      const began = now();
      const steps = solveStiefel(E, kept.f, {
        solver,
        start: instance.X0,
        tol,
        maxSeconds: limit,
        certificate: "stationary",
      });
      for (;;) {
        const next = steps.next();
        if (!next.done) continue;
        const { reason, iterations, evaluations, X } = next.value;
        const status = reason.converged ? "converged" : reason.kind;
        return { status, text: reason.text, seconds: now() - began, evaluations, iterations, X };
      }
    },
    end: () => E.dispose(),
  };
}
