/** What a built-in problem is: an objective on one engine, with its instance data inside, and the minimum where it is known. */

import type { Nonsmooth, Objective } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { checkSizes, chosenOptions, integer, ProblemError, type SchemaOf, shown, whole } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { requireMemory } from "@expen/linalg/memory";

export interface Problem {
  readonly name: string;
  /** the formula in one line */
  readonly title: string;
  readonly n: number;
  readonly p: number;
  readonly objective: Objective;
  /** The closed-form minimum over XᵀX = I, where there is one. Computed at the first reading (an eigenvalue problem), then kept. */
  readonly optimum?: number | undefined;
  /** a natural start, where there is one; a matrix of the problem's engine */
  readonly start?: Matrix;
  /** a term r(X) to be added to the smooth objective, as data for solvers that know proximal maps */
  readonly nonsmooth?: Nonsmooth;
}

export interface ProblemOptions {
  n: number;
  p: number;
  /** of the instance; the same on every engine */
  seed?: number;
}

/** Options by their names inside; `own` says what those beside n, p and seed may be. Throws a sentence about the first that is wrong. */
export const problemOptions = <O extends ProblemOptions>(
  problem: string,
  given: O,
  own: SchemaOf<Omit<O, keyof ProblemOptions | "center">>,
): O => chosenOptions(problem, given, { n: whole(1), p: whole(1), seed: integer, ...own });

/** Throws a sentence about an option of seeded data beside data that is given, which it would not change. */
export function refuseBeside(problem: string, data: Record<string, unknown>, seeded: Record<string, unknown>): void {
  const letter = Object.keys(data).find((name) => data[name] !== undefined);
  const option = Object.keys(seeded).find((name) => seeded[name] !== undefined);
  if (!letter || !option) return;
  const text = `${option} is ${shown(seeded[option])} but says something of seeded data alone, and ${letter} is given`;
  throw new ProblemError(`${problem}: ${text}; leave ${option} out.`);
}

/** Throws a sentence where one of two matrices is given: the other would be a random one. */
export function requireBoth(problem: string, data: Record<string, unknown>): void {
  const missing = Object.keys(data).find((name) => data[name] === undefined);
  const letter = Object.keys(data).find((name) => data[name] !== undefined);
  if (!letter || !missing) return;
  throw new ProblemError(`${problem}: ${letter} is given but ${missing} is not; give both, or none for seeded ones.`);
}

/** Sizes, and memory for what a built-in problem of these options holds */
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

/** Closed forms that need the eigenvalues of a larger matrix are left out: they would take minutes. */
export const LARGEST_EIGENPROBLEM = 4000;

/** A function that computes once. */
export function lazy<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}
