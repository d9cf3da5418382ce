/** The driver with what the core has by itself: plain JavaScript, the methods of ExPen, and proofs by convexity. */
import { jsEngine } from "./engines/js.js";
import { minimizer } from "./run/minimizer.js";
import { expenSolvers } from "./solvers/catalog-expen.js";
import { expenStrategies } from "./solvers/strategies.js";
import { automatic } from "./solvers/strategy.js";

export const { minimize, solveOn, certify } = minimizer({
  open: async () => jsEngine(),
  solvers: { auto: automatic(expenStrategies), ...expenSolvers },
  provers: [],
});
