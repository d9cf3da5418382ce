/** "auto" adapts during the run (stages.ts); the others fix β at the start. */
export const betaRules = ["auto", "paper", "cdopt", "theory"] as const;
/** A rule for the penalty parameter, or the parameter itself */
export type BetaRule = (typeof betaRules)[number] | number;
