/** A result as JSON, and as a word: the same for every command. */

import type { Result } from "@expen/core";

/** The keys and their order are those of docs/cli.md. */
export function runDocument(problem: string, result: Omit<Result, "X">): Record<string, unknown> {
  const { run, n, p, status, reason, fval, stationarity, feasibility, feasibilityBeforeProjection } = result;
  const { iterations, evaluations, seconds, optimum, gap, certificate, notes, communication } = result;
  const { on, seed, solver, engine, beta = null } = run;
  return {
    ...{ problem, on, n, p, seed, solver, engine, beta, status, reason, fval, stationarity },
    ...{ feasibility, feasibilityBeforeProjection, iterations, evaluations, seconds, optimum, gap },
    ...{ certificate, notes },
    ...(communication && { communication }),
    ...constraintsDocument(result),
  };
}

/** The parts that only a run with constraints beside the manifold has */
function constraintsDocument(result: Omit<Result, "X">): Record<string, unknown> {
  const { violation, complementarity, penalty, multipliers, support } = result;
  if (violation === undefined) return {};
  const numbers = multipliers!.map((list) => Array.from(list));
  return {
    violation,
    complementarity,
    penalty,
    multipliers: numbers,
    ...(support && { support: Array.from(support) }),
  };
}

/** Whether the run converged to a feasible point */
export const succeeded = (result: Omit<Result, "X">): boolean =>
  result.reason.converged && result.certificate.level !== "none";

/** A success in words */
export const successOf = ({ status }: Pick<Result, "status">): string =>
  status === "rounding" ? "converged as far as rounding lets it" : "converged";
