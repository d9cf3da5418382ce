/** The results of many runs, and numbers about all of them. */

import type { Tall } from "@expen/linalg";
import type { Plain } from "../contracts/manifold.js";
import type { Result } from "../contracts/result.js";

/** The result of one problem, and by how much the run has lowered f */
export interface Solution<P> {
  readonly result: Result<P>;
  readonly decrease: number;
}

/** The results of many problems, in their order */
export interface ManyResult<P = Plain<Tall>> {
  /** the result of each problem, in their order */
  results: Result<P>[];
  /** the number of results that converged */
  converged: number;
  /** the index of the result with the least f */
  best: number;
  /** the number of results with the least f, up to 1e-8 of the largest decrease of f in a run; of one f from many starts */
  hits: number;
  seconds: number;
}

/** Two values of f are of the same minimum up to this part of the largest decrease; a run ends some 1e-12 of it above its minimum. */
const SAME_MINIMUM = 1e-8;

/** Some problems of many threw an error. The others are done. */
export class ManyError<P = Plain<Tall>> extends Error {
  override name = "ManyError";
  constructor(
    /** results in the order of the problems, with gaps where one threw */
    readonly results: readonly (Result<P> | undefined)[],
    /** errors by the number of the problem */
    readonly errors: ReadonlyMap<number, Error>,
  ) {
    const [k, first] = errors.entries().next().value!;
    const others = errors.size < results.length ? " (the error has the results of the others)" : "";
    super(
      `minimizeMany: ${errors.size} of ${results.length} problems failed${others}; problem ${k}: ${first.message}`,
      {
        cause: first,
      },
    );
  }
}

/** The results in order with the numbers about all of them; throws where some problems threw. */
export function manyResult<P>(solutions: readonly (Solution<P> | Error)[], began: number): ManyResult<P> {
  const errors = new Map<number, Error>();
  for (const [k, one] of solutions.entries()) if (one instanceof Error) errors.set(k, one);
  const answers = solutions.map((one) => (one instanceof Error ? undefined : one.result));
  if (errors.size > 0) throw new ManyError(answers, errors);
  const results = answers as Result<P>[];
  const values = results.map(({ fval }) => fval);
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const scale = (solutions as Solution<P>[]).reduce((a, { decrease }) => Math.max(a, decrease || 0), Math.abs(least));
  return {
    results,
    converged: results.filter(({ reason }) => reason.converged).length,
    best: Math.max(0, values.indexOf(least)),
    hits: values.filter((value) => value - least <= SAME_MINIMUM * scale).length,
    seconds: (performance.now() - began) / 1000,
  };
}
