/** `expen/penalty`: h(X) = f(X(3/2·I − 1/2·XᵀX)) + β/4·‖XᵀX − I‖², Algorithm 1, rules for β, and h for the optimizers of others. */
export { type Algorithm1Options, algorithm1 } from "../expen/algorithm-1.js";
export { type BetaRule, fixedBeta } from "../expen/beta.js";
export { type FlatObjective, flatten } from "../expen/flatten.js";
export { type ExPen, expen } from "../expen/penalty.js";
export { type ShiftedExPen, shiftedExpen } from "../expen/shift.js";
export { stagedExpen } from "../expen/stages.js";
