/** `expen/penalty`: h(X) = f(X(3/2·I − 1/2·XᵀX)) + β/4·‖XᵀX − I‖², rules for β, and h for the optimizers of others. */
export { type BetaRule, fixedBeta } from "../penalty/beta.js";
export { type ExPen, expen } from "../penalty/expen.js";
export { type FlatObjective, flatten } from "../penalty/flatten.js";
export { stagedExpen } from "../solvers/staged-expen.js";
