/** The solvers of the core by name: what they are and take. Their methods are imported when they are begun. */

import type { SolverEntry } from "../contracts/solver.js";
import { usualMemory } from "../methods/quasi-newton/memory.js";
import { beta, memory, precondition, rule } from "./option-schema.js";
import { solverEntry } from "./solver-entry.js";

const expenLbfgs = solverEntry({
  title: "ExPen with limited-memory BFGS",
  holds: { tall: 15, square: 35, pairs: 4 },
  options: { beta, memory: { ...memory, default: 4 }, precondition },
  load: async () => (await import("../expen/unconstrained.js")).expenLbfgs,
});

type Name = "expen" | "expen-cg" | "expen-lbfgs" | "expen-newton" | "frame";

/** The exact penalty of the paper with unconstrained methods, and the moving frame. */
export const expenSolvers: Readonly<Record<Name, SolverEntry>> = {
  // the best unconstrained method here: expen-lbfgs
  expen: {
    ...expenLbfgs,
    title: "the paper's penalty with the best unconstrained method, limited-memory BFGS; β and a shift adapt in stages",
  },

  "expen-cg": solverEntry({
    title:
      "Algorithm 1 of the paper, conjugate gradients on ExPen; --beta paper: ExPen-CG of its experiments, step by step as SciPy's CG",
    holds: { tall: 15, square: 35 },
    // rule: hs+, and pr+ where β is fixed
    options: { beta, rule, precondition },
    load: async () => (await import("../expen/unconstrained.js")).expenCg,
  }),

  "expen-lbfgs": expenLbfgs,

  "expen-newton": solverEntry({
    title: "ExPen with trust-region Newton on exact Hessian-vector products",
    holds: { tall: 19, square: 35 },
    options: { beta, precondition },
    load: async () => (await import("../expen/unconstrained.js")).expenNewton,
  }),

  frame: solverEntry({
    needs: "metric",
    general: true,
    title: "quasi-Newton on the manifold, in the moving frame with a learned first matrix",
    holds: { tall: 10, square: 36, pairs: usualMemory, squaresPerPair: 2 },
    options: { memory },
    feasible: () => true,
    load: async () => (await import("../methods/quasi-newton/frame-expen.js")).frameExpen,
  }),
};
