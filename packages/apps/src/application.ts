/** Common parts of applications: options of the run, the best of several starts, and a unique choice of bases. */

import type { Manifold, Objective, Plain, Result, UserObjective, View } from "@expen/core";
import {
  checkSolver,
  drain,
  type MinimizeOptions,
  optionsOfSolvers,
  runSchema,
  type StiefelOptions,
} from "@expen/core";
import type { EngineName } from "@expen/engines";
import type { Engine, Matrix, Operator, Small, Tall } from "@expen/linalg";
import { chosenOptions, ProblemError, type Schema, type SchemaOf } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { minimize, solvers, solveStiefel } from "@expen/solvers";

/** The options of a run, without those that the application sets itself */
export interface ApplicationOptions extends Omit<StiefelOptions, "start" | "optimum" | "nonsmooth"> {
  /** an engine or its name; left out: the fastest available */
  engine?: Engine | EngineName;
}

/** The options of a run that an application does not choose itself */
function runOptionsSchema(solver: string | undefined): Schema {
  const { start, optimum, check, nonsmooth, ...schema }: Schema = {
    ...runSchema,
    ...optionsOfSolvers(solvers, solver),
  };
  return schema;
}

/** The options of an application itself, in British spelling */
type Own<O> = Omit<O, keyof ApplicationOptions | "center" | "standardize" | "normalize">;

/** Validates the options of an application, `own` and those of the run; throws a ProblemError for the first wrong one */
export function optionsOf<O extends ApplicationOptions>(
  application: string,
  user: O | undefined,
  own: SchemaOf<Own<O>>,
): O {
  const o = chosenOptions(application, user, { ...own, ...runOptionsSchema(user?.solver) });
  checkSolver(solvers, o);
  return o;
}

/** Whether the signal is aborted before the run: closed forms and searches for a start are skipped, and the run returns its start. */
export const isAborted = ({ signal }: ApplicationOptions): boolean => signal?.aborted === true;

/** Evaluations of the certificate of a run that starts at its solution: by default it may take as many as the run, here none. */
export const CERTIFICATE_BUDGET = 200;

/** The certified run behind the answer. */
export interface Application<P extends View = Matrix> {
  readonly run: Result<P>;
}

/** The run of an application on any manifold, without the check of derivatives: those of applications are tested */
export function runOn<P extends View>(
  E: Engine,
  f: UserObjective<P>,
  on: Manifold<P>,
  o: ApplicationOptions,
  known: Pick<MinimizeOptions<P>, "start" | "optimum" | "subjectTo" | "starts"> = {},
): Promise<Result<Plain<P>>> {
  const options = { ...o, ...known, on, engine: E, check: false };
  // a user's preconditioner is typed for Matrix, and gets the points of this manifold
  return minimize(f, options as unknown as MinimizeOptions<P>);
}

/** The run with the lowest f among the converged ones, or among all; `undefined` is the seeded random start */
export async function bestOf(
  E: Engine,
  f: Objective,
  starts: readonly (Matrix | undefined)[],
  o: StiefelOptions,
): Promise<Result> {
  let best: Result | undefined;
  for (const [i, start] of starts.entries()) {
    const run = await drain(solveStiefel(E, f, { ...o, seed: (o.seed ?? 1) + i, start }));
    const better = !best || Number(run.reason.converged) > Number(best.reason.converged) || run.fval < best.fval;
    if (better && (!best?.reason.converged || run.reason.converged)) best = run;
    if (run.reason.kind === "aborted") break;
  }
  return best!;
}

/** `count` seeded random starts, for `bestOf` */
export function randomStarts(application: string, count: number): undefined[] {
  if (!Number.isInteger(count) || count < 1) {
    throw new ProblemError(`${application}: starts is ${count}; it must be a whole number, 1 or more.`);
  }
  return Array.from({ length: count }, () => undefined);
}

/** A matrix of the engine in host memory */
export const plainOf = (E: Engine, A: Tall | Small): Matrix => ({ rows: A.rows, cols: A.cols, data: E.read(A) });

/** A·X for a plain X */
export function image(E: Engine, A: Operator, X: Matrix): Tall {
  const AX = E.tall(A.rows, X.cols);
  A.apply(AX, tallOf(E, X));
  return AX;
}

/** X·V for the eigenvectors V of a small S (Rayleigh–Ritz), by decreasing eigenvalues; the largest entry of each column is positive */
export function ritz(E: Engine, X: Matrix, S: Small): { basis: Matrix; values: number[] } {
  const { values, vectors } = eigh(E, S);
  const XV = E.tall(X.rows, X.cols);
  E.mul(XV, tallOf(E, X), vectors);
  const order = Array.from({ length: X.cols }, (_, j) => X.cols - 1 - j);
  return { basis: withPositivePeaks(columns(plainOf(E, XV), order)), values: order.map((j) => values[j]!) };
}

/** The columns of a plain M with the indices `order` */
export function columns({ rows, cols, data }: Matrix, order: readonly number[]): Matrix {
  const out = new Float64Array(rows * order.length);
  for (let i = 0, at = 0; i < rows; i++) {
    for (let k = 0; k < order.length; k++, at++) out[at] = data[i * cols + order[k]!]!;
  }
  return { rows, cols: order.length, data: out };
}

/** The sign, ±1, of the entry of largest modulus in each column */
export function peakSigns({ rows, cols, data }: Matrix): number[] {
  const peaks = new Float64Array(cols);
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at++) if (Math.abs(data[at]!) > Math.abs(peaks[j]!)) peaks[j] = data[at]!;
  }
  return Array.from(peaks, (peak) => (peak < 0 ? -1 : 1));
}

/** M·Diag(factors) */
export function scaleColumns({ rows, cols, data }: Matrix, factors: ArrayLike<number>): Matrix {
  const out = new Float64Array(rows * cols);
  for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < cols; j++, at++) out[at] = data[at]! * factors[j]!;
  return { rows, cols, data: out };
}

export const withPositivePeaks = (M: Matrix): Matrix => scaleColumns(M, peakSigns(M));

/** The indices 0, 1, … by decreasing value */
export const byFalling = (values: readonly number[]): number[] =>
  values.map((_, j) => j).sort((a, b) => values[b]! - values[a]!);
