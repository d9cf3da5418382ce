/** The driver with what the core has by itself: plain JavaScript, the methods of ExPen, and proofs by convexity. */
import { EngineError, shown } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import type { SolverEntry } from "./contracts/solver.js";
import { automatic, loadExpenStrategies } from "./run/automatic.js";
import { minimizer } from "./run/minimizer.js";
import type { Minimizer } from "./run/parts.js";
import { expenSolvers } from "./run/solvers.js";

type Core = Minimizer<Record<"auto" | keyof typeof expenSolvers, SolverEntry>>;

const driver: Core = minimizer({
  open: async (_, name = "js") => {
    if (name === "js") return jsEngine();
    throw new EngineError(
      `engine: ${shown(name)} is not here, where js alone is; give an engine, or take minimize of expen.`,
    );
  },
  solvers: { auto: automatic(loadExpenStrategies), ...expenSolvers },
});

/** Minimises f over a manifold, on the engine in plain JavaScript unless another is given. */
export const minimize: Core["minimize"] = driver.minimize;
/** Imports what the run needs and begins it: step the generator, or `drain` it. */
export const solveOn: Core["solveOn"] = driver.solveOn;
