/** Built-in problems: an objective on one engine with its instance data, and the minimum if it is known. */

import type { Nonsmooth, Objective } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { checkSizes, chosenOptions, integer, ProblemError, type SchemaOf, shown, whole } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { requireMemory } from "@expen/linalg/memory";

/** A built-in problem: its objective on an engine, its size, and the minimum if it is known */
export interface Problem {
  readonly name: string;
  /** the formula in one line */
  readonly title: string;
  readonly n: number;
  readonly p: number;
  readonly objective: Objective;
  /** the minimum over XᵀX = I, if it has a closed form; computed (an eigenvalue problem) and stored when first read */
  readonly optimum?: number | undefined;
  /** a natural start, if there is one; a matrix of the problem's engine */
  readonly start?: Matrix;
  /** a term r(X) added to the smooth objective, as data for solvers with proximal maps */
  readonly nonsmooth?: Nonsmooth;
}

export interface ProblemOptions {
  n: number;
  p: number;
  /** seed of the instance, which is the same on every engine */
  seed?: number;
}

/** Validates the options n, p, seed and `own`; throws a ProblemError for the first wrong one */
export const problemOptions = <O extends ProblemOptions>(
  problem: string,
  user: O,
  own: SchemaOf<Omit<O, keyof ProblemOptions | "center">>,
): O => chosenOptions(problem, user, { n: whole(1), p: whole(1), seed: integer, ...own });

/** Throws if data is given together with an option of seeded data, which would have no effect */
export function refuseBeside(problem: string, data: Record<string, unknown>, seeded: Record<string, unknown>): void {
  const letter = Object.keys(data).find((name) => data[name] !== undefined);
  const option = Object.keys(seeded).find((name) => seeded[name] !== undefined);
  if (!letter || !option) return;
  const text = `${option} is ${shown(seeded[option])} but says something of seeded data alone, and ${letter} is given`;
  throw new ProblemError(`${problem}: ${text}; leave ${option} out.`);
}

/** Throws if one of two matrices is given without the other, which would be random */
export function requireBoth(problem: string, data: Record<string, unknown>): void {
  const missing = Object.keys(data).find((name) => data[name] === undefined);
  const letter = Object.keys(data).find((name) => data[name] !== undefined);
  if (!letter || !missing) return;
  throw new ProblemError(`${problem}: ${letter} is given but ${missing} is not; give both, or none for seeded ones.`);
}

/** Checks the sizes, and that the data of the problem fits into memory */
export function checkShape<O extends ProblemOptions>(
  E: Engine,
  problem: string,
  options: O,
  holds: (options: O) => Part[],
): void {
  const { n, p } = options;
  checkSizes(problem, n, p);
  requireMemory(n, p, holds(options), E);
}

/** Largest size of an eigenvalue problem for a closed-form minimum: larger ones would take minutes. */
export const LARGEST_EIGENPROBLEM = 4000;

/** A function that computes its value at the first call and stores it */
export function lazy<T>(compute: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}
