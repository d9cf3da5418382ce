/** `expen/penalty`: h(X) = f(X(3/2·I − 1/2·XᵀX)) + β/4·‖XᵀX − I‖², Algorithm 1, rules for β, and h for the optimizers of others. */
export { type Algorithm1Options, algorithm1 } from "@expen/core/expen";
export { type BetaRule, fixedBeta } from "@expen/core/expen";
export { type FlatObjective, flatten } from "@expen/core/expen";
export { type ExPen, expen } from "@expen/core/expen";
export { type ShiftedExPen, shiftedExpen } from "@expen/core/expen";
export { stagedExpen } from "@expen/core/expen";
