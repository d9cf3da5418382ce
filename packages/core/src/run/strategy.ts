/** The default: the first strategy of a list that fits. */

import type { Engine, Tall } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { requireMemory } from "@expen/linalg/memory";
import type { Constraint } from "../contracts/constraint.js";
import type { Solver } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Chosen, SolverEntry, SolverOptions, Where } from "../contracts/solver.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { usualMemory } from "../methods/quasi-newton/memory.js";
import { type Evaluator, evaluatorOf } from "../objective/evaluator.js";
import { beta, memory, precondition, solverEntry } from "./solver-entry.js";

/** The solver of a run that names none */
export const DEFAULT_SOLVER = "auto";

const OPTIONS: { beta: typeof beta; memory: typeof memory; precondition: typeof precondition } = {
  beta,
  memory,
  precondition,
};

/** The data for the choice of a method */
export interface Known {
  readonly E: Engine;
  readonly on: Constraint;
  /** evaluates f and ∇f at X0 at the first request, and keeps them */
  readonly f: Evaluator;
  readonly X0: Tall;
  readonly o: Chosen<typeof OPTIONS>;
}

/** A way to solve a kind of problem */
export interface Strategy {
  readonly name: string;
  /** the reason why it fits, in a few words; undefined if it does not */
  fits(k: Known): string | undefined;
  /** matrices of a run beside those of the default's entry */
  holds?(k: Known): readonly Part[];
  begin(k: Known): Solver;
}

/** The method of a run, and the reason why it was taken */
export interface Method {
  readonly name: string;
  readonly why: string;
}

/** Imports the strategies that may fit an f with these options, before it is called, in the order in which they are tried. */
export type LoadStrategies = (f: Objective, o: SolverOptions & Where) => Promise<readonly Strategy[]>;

/** The default: the first of the strategies that fits. The last one must fit everything. */
export const automatic = /* @__NO_SIDE_EFFECTS__ */ (load: LoadStrategies): SolverEntry =>
  solverEntry({
    title:
      "the default: ExPen shifted and dissolved at every step, quasi-Newton in the moving frame, or with the multiplier " +
      "as metric where f costs little; in Krylov or other subspaces where f declares its operator, or is seen to have one",
    // pairs of the frame and of preconditioned runs; others have 3 or 4
    holds: { tall: 10, square: 36, pairs: usualMemory, squaresPerPair: 2 },
    options: OPTIONS,
    general: true,
    feasible: (beta) => beta === "auto",
    async load(f, options) {
      const strategies = await load(f, options);
      return (E, f, X0, o) => {
        const known: Known = { E, on: o.on ?? stiefelConstraint(E, f.n, f.p), f: evaluatorOf(E, f), X0, o };
        for (const { name, fits, holds, begin } of strategies) {
          const why = fits(known);
          if (why === undefined) continue;
          if (holds) requireMemory(f.n, f.p, holds(known), E);
          o.chose?.({ name, why });
          return begin(known);
        }
        throw new RangeError(`none of the methods ${strategies.map(({ name }) => name).join(", ")} fits this f.`);
      };
    },
  });
