/** What a built-in problem is: an objective on one engine, with its instance data inside, and the minimum where it is known. */
import { isSparse, type Sparse } from "../arrays/sparse.js";
import { described } from "../errors.js";
import type { Part } from "../memory/need.js";
import { requireMemory } from "../memory/require.js";
import { chosenOptions, integer, type SchemaOf, shown, whole } from "../options.js";
import { wrongSizes } from "../shape.js";
import type { Engine, Matrix, Nonsmooth, Objective } from "../types.js";

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

/** A wrong option, said in one sentence: what, which value, what to do. */
export class ProblemError extends Error {
  override name = "ProblemError";
}

export function checkSizes(problem: string, n: number, p: number): void {
  const wrong = wrongSizes(n, p);
  if (wrong) throw new ProblemError(`${problem}: ${wrong}`);
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

/** What the user gave for matrices of these names, before anything is read of them */
export function requireMatrices(problem: string, given: Record<string, unknown>): void {
  for (const [letter, A] of Object.entries(given)) {
    const { rows, cols } = Object(A) as Partial<Matrix>;
    if (typeof rows === "number" && typeof cols === "number") continue;
    const wanted = "it must be a matrix { rows, cols, data }; asMatrix(…).matrix makes one of rows or of an ndarray";
    throw new ProblemError(`${problem}: ${letter} is ${described(A)}; ${wanted}.`);
  }
}

/** The same of a list */
export function requireList(problem: string, list: unknown): void {
  if (!Array.isArray(list)) {
    throw new ProblemError(`${problem}: the list of matrices is ${described(list)}; give an array of them.`);
  }
  requireMatrices(problem, Object.fromEntries(list.map((A, i) => [`matrix ${i + 1}`, A])));
}

/** Of the right shape, with as many numbers, of double precision */
export function checkDataShape(problem: string, letter: string, A: Matrix | Sparse, rows: number, cols: number): void {
  if (A.rows !== rows || A.cols !== cols)
    throw new ProblemError(`${problem}: ${letter} is ${A.rows}×${A.cols} but must be ${rows}×${cols}.`);
  if (isSparse(A)) return;
  if (!(A.data instanceof Float64Array)) {
    const wanted = "it must be a Float64Array; asMatrix(…).matrix makes a matrix of rows or of an ndarray";
    throw new ProblemError(`${problem}: the data of ${letter} is ${described(A.data)}; ${wanted}.`);
  }
  if (A.data.length !== rows * cols)
    throw new ProblemError(`${problem}: ${letter} is ${rows}×${cols} but has ${A.data.length} numbers.`);
}

/** A data matrix of the user: of the right shape, and without NaN or infinity. */
export function checkData(problem: string, letter: string, A: Matrix | Sparse, rows: number, cols: number): void {
  checkDataShape(problem, letter, A, rows, cols);
  const entries = isSparse(A) ? A.values : A.data;
  if (allFinite(entries)) return;
  const bad = entries.findIndex((v) => !Number.isFinite(v));
  const where = isSparse(A) ? `stored entry ${bad}` : `entry (${Math.floor(bad / cols)}, ${bad % cols})`;
  throw new ProblemError(`${problem}: ${where} of ${letter} is ${entries[bad]}; fill it in or leave its row out.`);
}

/** 0·x is 0 but for NaN and infinity; four sums at once, of which a processor waits for none. */
function allFinite(x: Float64Array): boolean {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = x.length - (x.length % 4);
  for (let k = 0; k < whole; k += 4) {
    a += 0 * x[k]!;
    b += 0 * x[k + 1]!;
    c += 0 * x[k + 2]!;
    d += 0 * x[k + 3]!;
  }
  for (let k = whole; k < x.length; k++) a += 0 * x[k]!;
  return a + b + c + d === 0;
}

/** Closed forms that need the eigenvalues of a larger matrix are left out: they would take minutes. */
export const LARGEST_EIGENPROBLEM = 4000;

export function checkFinite(problem: string, what: string, value: number): void {
  if (!Number.isFinite(value)) throw new ProblemError(`${problem}: ${what} is ${value}; it must be a finite number.`);
}

/** A function that computes once. */
export function lazy<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}
