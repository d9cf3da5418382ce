/** The options of an entrant, from the text of the address to what the solver takes. */

import type { StiefelOptions } from "expen/options.js";
import { type SolverEntry, type SolverName, solvers } from "expen/solvers/catalog.js";
import { cgRules } from "expen/solvers/cg-rules.js";

const BETA_RULES = ["auto", "paper", "cdopt", "theory"];

export function entrantOptions(solver: string, given: Record<string, string>): Partial<StiefelOptions> {
  if (!Object.hasOwn(solvers, solver)) {
    throw new RangeError(`solver '${solver}' is none of ${Object.keys(solvers).join(", ")}.`);
  }
  const entry: SolverEntry = solvers[solver as SolverName];
  const taken: Record<string, unknown> = {};
  for (const option of entry.options ?? []) {
    const text = given[option]?.trim();
    if (!text) continue;
    taken[option] = value(option, text);
  }
  return taken as Partial<StiefelOptions>;
}

function value(option: string, text: string): unknown {
  if (option === "beta") {
    if (BETA_RULES.includes(text)) return text;
    const beta = Number(text);
    if (beta > 0 && Number.isFinite(beta)) return beta;
    throw new RangeError(`β is '${text}'; it must be a positive number, or one of ${BETA_RULES.join(", ")}.`);
  }
  if (option === "rule" && !Object.hasOwn(cgRules, text)) {
    throw new RangeError(`rule '${text}' is none of ${Object.keys(cgRules).join(", ")}.`);
  }
  if (option !== "memory" && option !== "rebase") return text;
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new RangeError(`${option} is '${text}'; it must be a whole number, 1 or more.`);
}
