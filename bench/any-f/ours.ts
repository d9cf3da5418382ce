/** Our solvers on an instance, with nothing but f and its gradient. */
import type { EngineName } from "../../src/engines/open.js";
import { openEngine } from "../../src/engines/open.js";
import { polar } from "../../src/linalg/polar.js";
import { counted, noEvaluations } from "../../src/objective/objective.js";
import type { SolverName } from "../../src/solvers/catalog.js";
import { dissolvedExpen } from "../../src/solvers/dissolved-expen.js";
import { solveStiefel } from "../../src/stiefel.js";
import type { Engine, Objective, State } from "../../src/types.js";
import { clocks, type Outcome, type Task } from "../contender.js";
import { type AnyInstance, objectiveOn } from "./instance.js";

export interface AnyContender {
  name: string;
  description: string;
  run(instance: AnyInstance, task: Task): Outcome | Promise<Outcome>;
  end(): void;
}

type Solve = (E: Engine, f: Objective, instance: AnyInstance, task: Task) => Omit<Outcome, "seconds">;

/** The former default, the multiplier's metric for every f (docs/decisions/0014): a name of this suite, not of the catalogue. */
export const FORMER = "multiplier";

export async function openOwn(name: string, threads: number): Promise<AnyContender> {
  const [solver, engine] = name.split("@") as [SolverName | typeof FORMER, EngineName];
  const E = await openEngine(engine, { threads });
  const solve = solver === FORMER ? formerDefault : byName(solver);
  let kept: { instance: AnyInstance; f: Objective } | undefined;
  return {
    name,
    description: `${solver} on ${E.description}`,
    run(instance, task) {
      if (kept?.instance !== instance) kept = { instance, f: objectiveOn(E, instance, instance.data) };
      const now = clocks[task.clock];
      const began = now();
      const outcome = solve(E, kept.f, instance, task);
      return { ...outcome, seconds: now() - began };
    },
    end: () => E.dispose(),
  };
}

const byName =
  (solver: SolverName): Solve =>
  (E, f, { X0: start }, { tol, limit }) => {
    const steps = solveStiefel(E, f, { solver, start, tol, maxSeconds: limit, certificate: "stationary" });
    for (;;) {
      const next = steps.next();
      if (!next.done) continue;
      const { reason, iterations, evaluations, X } = next.value;
      return { status: reason.converged ? "converged" : reason.kind, text: reason.text, evaluations, iterations, X };
    }
  };

const formerDefault: Solve = (E, f, { n, p, X0 }, { tol, limit }) => {
  const evaluations = noEvaluations();
  const until = performance.now() + 1000 * limit;
  const F = counted(f, evaluations);
  const steps = dissolvedExpen(E, F, E.tall(n, p, X0.data), { evaluations });
  for (let state: State | undefined; ; ) {
    const next = steps.next();
    if (!next.done) state = next.value;
    const late = performance.now() > until;
    if (!next.done && !late && state!.gnorm > tol) continue;
    const P = E.tall(n, p);
    polar(E, n, p)(P, state!.X);
    // as the former default did
    F.fg(E.tall(n, p), P);
    const X = { rows: n, cols: p, data: E.read(P) };
    const [status, text] = next.done
      ? ["failed", next.value.text]
      : state!.gnorm <= tol
        ? ["converged", "gradient norm below the tolerance"]
        : ["time", `stopped after ${limit} s`];
    return { status, text, evaluations, iterations: state!.k, X };
  }
};
