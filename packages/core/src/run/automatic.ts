/** The default: the first strategy of a list that fits. */

import { requireMemory } from "@expen/linalg/memory";
import type { SolverEntry } from "../contracts/solver.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { usualMemory } from "../methods/quasi-newton/memory.js";
import { evaluatorOf } from "../objective/evaluator.js";
import { beta, memory, precondition } from "./option-schema.js";
import { solverEntry } from "./solver-entry.js";
import type { Known, LoadStrategies } from "./strategy.js";

const OPTIONS = { beta, memory, precondition } as const;

/** The strategies for any f, which are imported with their methods */
export const loadExpenStrategies: LoadStrategies = async (f, o) =>
  (await import("./strategies.js")).expenStrategies(f, o);

/** The default: the first of the strategies that fits. The last one must fit everything. */
export const automatic = /* @__NO_SIDE_EFFECTS__ */ (load: LoadStrategies): SolverEntry =>
  solverEntry({
    title:
      "the default: quasi-Newton on the manifold, in the moving frame or, where f costs little, with the multiplier as metric; " +
      "Krylov or other subspaces for quadratic forms",
    // pairs of the frame and of preconditioned runs; others have 8 at most
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
