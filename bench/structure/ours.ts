/** Our default solver on ½ tr XᵀBX, a formula in which the tape recognizes the eigenproblem. */

import type { Objective, State, Stop } from "@expen/core";
import { type EngineName, openEngine } from "@expen/engines";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import type { SolverName } from "@expen/solvers";
import { solveStiefel } from "@expen/solvers";
import { certify } from "@expen/solvers/certify";
import { compile, mul, scale, t, trace } from "@expen/tape";
import { type Clock, clocks } from "../contender.js";

export interface OwnTask {
  readonly B: Matrix | Sparse;
  readonly n: number;
  readonly p: number;
  readonly X0: Matrix;
  /** ‖BX − XΛ‖ to be reached */
  readonly tol: number;
  readonly limit: number;
  readonly clock: Clock;
}

export interface OwnOutcome {
  readonly status: string;
  readonly text: string;
  readonly seconds: number;
  readonly products: number;
  readonly solves: number;
  readonly X: Matrix;
  /** the certificate of that answer, as a run makes it */
  certified(): { level: string; seconds: number; gapBound: number | null; text: string };
}

export interface OwnEigen {
  readonly name: string;
  readonly description: string;
  run(task: OwnTask): Promise<OwnOutcome>;
  end(): void;
}

export async function openOwnEigen(name: string, threads: number): Promise<OwnEigen> {
  const [solver, engine] = name.split("@") as [SolverName, EngineName];
  const E = await openEngine(engine, { threads });
  return {
    name,
    description: `${solver} on ${E.description}`,
    run: (task) => solved(E, solver, task),
    end: () => E.dispose(),
  };
}

async function solved(E: Engine, solver: SolverName, { B, n, p, X0, tol, limit, clock }: OwnTask): Promise<OwnOutcome> {
  const now = clocks[clock];
  const { counting, count } = countingProducts(E, n);
  const flops = E.counters.flops;
  const began = now();
  const f = compile(counting, { n, p }, (X) => scale(0.5, trace(mul(t(X), B, X))));
  // on the clock of the other sides
  const stop: Stop = () =>
    now() - began > limit ? { kind: "time", converged: false, text: `stopped after ${limit} s` } : undefined;
  const steps = await solveStiefel(counting, f, { solver, start: X0, tol, stop, certificate: "stationary" });
  let last: State | undefined;
  for (;;) {
    const next = steps.next();
    if (!next.done) {
      last = next.value;
      continue;
    }
    const { reason, X, evaluations } = next.value;
    const seconds = now() - began;
    const spent = { flops: E.counters.flops - flops, budget: Math.max(16, evaluations.grad + evaluations.hvp) };
    return {
      status: reason.converged ? "converged" : reason.kind,
      text: reason.text,
      seconds,
      products: count(),
      solves: last?.notes?.solves ?? 0,
      X,
      certified: () => certificateOf(counting, f, X, { tolerance: tol, ...spent }, now),
    };
  }
}

function certificateOf(
  E: Engine,
  f: Objective,
  X: Matrix,
  options: { tolerance: number; flops: number; budget: number },
  now: () => number,
) {
  const began = now();
  const { certificate } = certify(E, f, tallOf(E, X), { ...options, secondOrder: true });
  const { level, text } = certificate;
  const gapBound = certificate.level === "global" ? certificate.gapBound : null;
  return { level, seconds: now() - began, gapBound, text };
}

/** The engine, whose operators of n rows and columns count the columns they are applied to */
function countingProducts(E: Engine, n: number): { counting: Engine; count(): number } {
  let columns = 0;
  const operator: Engine["operator"] = (A) => {
    const made = E.operator(A);
    if (made.rows !== n || made.cols !== n) return made;
    return {
      ...made,
      apply(Y, X, a, b) {
        columns += X.cols;
        made.apply(Y, X, a, b);
      },
      applyT(Y, X, a, b) {
        columns += X.cols;
        made.applyT(Y, X, a, b);
      },
    };
  };
  return { counting: { ...E, operator }, count: () => columns };
}
