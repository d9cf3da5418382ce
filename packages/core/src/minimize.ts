/** The driver with what the core has by itself: plain JavaScript, the methods of ExPen, and proofs by convexity. */
import { jsEngine } from "@expen/linalg/engine";
import { loadExpenStrategies } from "./run/load-strategies.js";
import { minimizer } from "./run/minimizer.js";
import { expenSolvers } from "./run/solvers.js";
import { automatic } from "./run/strategy.js";

export const { minimize, solveOn } = minimizer({
  open: async () => jsEngine(),
  solvers: { auto: automatic(loadExpenStrategies), ...expenSolvers },
});
