/** "auto" adapts during the run (stages.ts); the others fix β at the start. */
export const betaRules = ["auto", "paper", "cdopt", "theory"] as const;
export type BetaRule = (typeof betaRules)[number] | number;
