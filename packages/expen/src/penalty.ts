/** `expen/penalty`: h(X) = f(X(3/2·I − 1/2·XᵀX)) + β/4·‖XᵀX − I‖², Algorithm 1, rules for β, and h for the optimizers of others. */
export {
  type Algorithm1Options,
  algorithm1,
  type BetaRule,
  type ExPen,
  expen,
  type FlatObjective,
  fixedBeta,
  flatten,
  type ShiftedExPen,
  shiftedExpen,
  stagedExpen,
} from "@expen/core/expen";
