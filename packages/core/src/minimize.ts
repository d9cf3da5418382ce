/** The driver with what the core has by itself: plain JavaScript, the methods of ExPen, and proofs by convexity. */
import { jsEngine } from "@expen/linalg/engine";
import { minimizer } from "./run/minimizer.js";
import { expenSolvers } from "./run/solvers.js";
import { expenStrategies } from "./run/strategies.js";
import { automatic } from "./run/strategy.js";

export const { minimize, solveOn, certify } = minimizer({
  open: async () => jsEngine(),
  solvers: { auto: automatic(expenStrategies), ...expenSolvers },
  provers: [],
});
