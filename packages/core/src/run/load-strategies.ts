import type { LoadStrategies } from "./strategy.js";

/** The strategies for any f, which are imported with their methods */
export const loadExpenStrategies: LoadStrategies = async (f, o) =>
  (await import("./strategies.js")).expenStrategies(f, o);
