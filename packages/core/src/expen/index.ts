/** The paper: h and its derivatives, β, Algorithm 1, the projection, the estimates; README.md has the statements. */
export { type Algorithm1Options, algorithm1 } from "./algorithm-1.js";
export { fixedBeta, paperBeta, sampledBeta, stageBeta, theoryBeta } from "./beta.js";
export { type BetaRule, betaRules } from "./beta-rules.js";
export { type DissolvedOptions, dissolvedExpen } from "./dissolved.js";
export * from "./estimates.js";
export { type FlatObjective, flatten } from "./flatten.js";
export { type ExPen, expen, type TermOfK } from "./penalty.js";
export { polar, projectionGain, TUBE } from "./projection.js";
export { type ShiftedExPen, shiftedExpen } from "./shift.js";
export { type StagedOptions, stagedExpen } from "./stages.js";
