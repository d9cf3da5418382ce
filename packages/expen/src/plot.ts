/** `expen/plot`: the convergence of runs as a drawing. */
export { type ConvergenceOptions, plotConvergence, type RunHistory } from "./plot/convergence.js";
