/** The driver with what the core has by itself: plain JavaScript, the methods of ExPen, and proofs by convexity. */
import { EngineError, shown } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { loadExpenStrategies } from "./run/load-strategies.js";
import { minimizer } from "./run/minimizer.js";
import { expenSolvers } from "./run/solvers.js";
import { automatic } from "./run/strategy.js";

export const { minimize, solveOn } = minimizer({
  open: async (_, name = "js") => {
    if (name === "js") return jsEngine();
    throw new EngineError(
      `engine: ${shown(name)} is not here, where js alone is; give an engine, or take minimize of expen.`,
    );
  },
  solvers: { auto: automatic(loadExpenStrategies), ...expenSolvers },
});
