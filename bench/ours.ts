/** Our own solvers as contenders, in this process: "auto@blas" (the default), "expen-cg@blas" (β as in the paper), "auto@wasm". */
import { type EngineName, openEngine } from "@expen/engines";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import type { SolverName } from "@expen/solvers";
import { solveStiefel } from "@expen/solvers";
import { type Contender, clocks, type Outcome, type Task } from "./contender.js";
import { type Instance, problemOn } from "./instance.js";

export async function openOurs(name: string, threads: number): Promise<Contender> {
  const [solver, engine] = name.split("@") as [SolverName, EngineName];
  const E = await openEngine(engine, { threads });
  let cached: { instance: Instance; problem: ReturnType<typeof problemOn>; reached: Observer } | undefined;
  return {
    name,
    description: `${solver} on ${E.description}`,
    async run(instance, task) {
      if (cached?.instance !== instance) {
        cached = { instance, problem: problemOn(E, instance), reached: observer(E, instance) };
      }
      return await solve(E, cached.problem, instance, solver, task, cached.reached);
    },
    end: () => E.dispose(),
  };
}

async function solve(
  E: Engine,
  { objective }: ReturnType<typeof problemOn>,
  { X0 }: Instance,
  solver: SolverName,
  { tol, target, limit, clock }: Task,
  reached: Observer,
): Promise<Outcome> {
  const now = clocks[clock];
  const began = now();
  let stopped = 0;
  const seconds = (): number => now() - began - stopped;
  const steps = await solveStiefel(E, objective, {
    solver,
    start: X0,
    tol,
    maxSeconds: limit,
    certificate: "stationary",
    ...(solver === "expen-cg" && { beta: "paper" }),
  });
  for (;;) {
    const next = steps.next();
    if (next.done) {
      const { reason, iterations, evaluations, X } = next.value;
      const status = target !== null ? "failed" : reason.converged ? "converged" : reason.kind;
      const text = target !== null ? `ended before the target: ${reason.text}` : reason.text;
      return { status, text, seconds: seconds(), evaluations, iterations, X };
    }
    if (target === null) continue;
    const before = now();
    const { f, X, projected } = reached(next.value.X, now);
    if (f <= target) {
      // the projection is part of the answer
      stopped += now() - projected;
      const { k, evaluations } = next.value;
      const answer = { rows: X.rows, cols: X.cols, data: Float64Array.from(X.data) };
      return {
        status: "converged",
        text: "target reached",
        seconds: seconds(),
        evaluations: { ...evaluations },
        iterations: k,
        X: answer,
      };
    }
    stopped += now() - before;
  }
}

type Observer = (X: Tall, now: () => number) => { f: number; X: Matrix; projected: number };

/** The projection of X, its f, and the time after the projection; in scratch of its own, so that the run is not disturbed. */
function observer(E: Engine, instance: Instance): Observer {
  const { objective } = problemOn(E, instance);
  const project = polar(E, instance.n, instance.p);
  const P = E.tall(instance.n, instance.p);
  return (X, now) => {
    project(P, X);
    const projected = now();
    return { f: objective.f(P), X: P, projected };
  };
}
