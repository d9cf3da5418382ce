/** Our solvers on an instance, with nothing but f and its gradient. */

import type { Objective, SolverEntry } from "@expen/core";
import { dissolvedExpen } from "@expen/core/expen";
import type { EngineName } from "@expen/engines";
import { openEngine } from "@expen/engines";
import type { Engine, Matrix } from "@expen/linalg";
import { type SolverName, solvers, solveStiefel } from "@expen/solvers";
import { clocks, type Outcome, type Task } from "../contender.js";
import { type AnyInstance, objectiveOn } from "./instance.js";

export interface AnyContender {
  name: string;
  description: string;
  run(instance: AnyInstance, task: Task): Outcome | Promise<Outcome>;
  end(): void;
}

/**
 * The former default, the multiplier's metric for every f (docs/decisions/0014). It has a name in this suite alone, and an entry in the
 * catalogue while it is open, so that it runs as every other solver.
 */
export const FORMER = "multiplier";
const former: SolverEntry = {
  ...solvers.auto,
  load:
    async () =>
    (E, f, X0, { on, evaluations }) =>
      dissolvedExpen(E, f, X0, { on, evaluations }),
};

export async function openOwn(name: string, threads: number): Promise<AnyContender> {
  const [solver, engine] = name.split("@") as [SolverName | typeof FORMER, EngineName];
  const E = await openEngine(engine, { threads });
  if (solver === FORMER) Object.assign(solvers, { [FORMER]: former });
  let cached: { instance: AnyInstance; f: Objective } | undefined;
  return {
    name,
    description: `${solver} on ${E.description}`,
    async run(instance, task) {
      if (cached?.instance !== instance) cached = { instance, f: objectiveOn(E, instance, instance.data) };
      const now = clocks[task.clock];
      const began = now();
      const outcome = await solve(E, cached.f, solver as SolverName, instance.X0, task);
      return { ...outcome, seconds: now() - began };
    },
    end() {
      if (solver === FORMER) Reflect.deleteProperty(solvers, FORMER);
      E.dispose();
    },
  };
}

async function solve(
  E: Engine,
  f: Objective,
  solver: SolverName,
  start: Matrix,
  { tol, limit }: Task,
): Promise<Omit<Outcome, "seconds">> {
  const steps = await solveStiefel(E, f, { solver, start, tol, maxSeconds: limit, certificate: "stationary" });
  for (;;) {
    const next = steps.next();
    if (!next.done) continue;
    const { reason, iterations, evaluations, X } = next.value;
    return { status: reason.converged ? "converged" : reason.kind, text: reason.text, evaluations, iterations, X };
  }
}
