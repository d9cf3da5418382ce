import { type CgRuleName, cgRules } from "../methods/cg-rules.js";

/** Options of several solvers; a solver adds its own default. */
export const beta = {
  kind: "beta",
  help: "penalty parameter",
  default: "auto",
} as const;
export const rule = {
  kind: "choice",
  help: "conjugate gradient rule",
  names: Object.keys(cgRules) as CgRuleName[],
} as const;
export const memory = { kind: "integer", help: "pairs of limited-memory methods", least: 1 } as const;
export const precondition = { kind: "function", help: "an approximate inverse of the Hessian" } as const;

/** The first name is the default. */
export const variant = <const N extends readonly [string, ...string[]]>(names: N) =>
  ({
    kind: "choice",
    help: "variant of the method",
    names: names as readonly N[number][],
    default: names[0] as N[number],
  }) as const;
