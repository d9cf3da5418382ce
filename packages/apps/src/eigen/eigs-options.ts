/** The options of eigs, and their checks. */
import type { Precondition } from "@expen/core";
import type { EngineName } from "@expen/engines";
import type { Engine } from "@expen/linalg";
import {
  anything,
  bool,
  chosenOptions,
  finite,
  func,
  oneOf,
  ProblemError,
  positive,
  type Schema,
  type SchemaOf,
  shown,
  signal,
  whole,
} from "@expen/linalg";
import type { HermitianInput } from "./hermitian.js";
import { isProduct } from "./pencil.js";
import type { BlockProduct, OperatorInput, VectorProduct } from "./read-matrix.js";
import type { SolveOptions } from "./run-options.js";

/** Begins every sentence about a mistake */
export const NAME = "eigs";

/** Options of `eigs`: which eigenvalues, the second matrix, the count, and the run */
export interface EigsOptions extends SolveOptions {
  /** number of eigenvalues */
  p: number;
  /** the p smallest, largest, or nearest to `sigma`; left out: "nearest" with a sigma, else "smallest" */
  which?: "smallest" | "largest" | "nearest";
  /** eigenvalues nearest to this number are wanted */
  sigma?: number;
  /** A·x = λB·x, B symmetric positive definite: a matrix, or a product with it as A may be */
  B?: OperatorInput | HermitianInput;
  /** x ↦ B⁻¹x, or a product with B⁻¹, beside a B that is a function: the values get bounds */
  solve?: VectorProduct | BlockProduct;
  /** the size of A, where A is a function of a vector */
  n?: number;
  /** Z ← P·G with P ≈ A⁻¹ in operations of the engine: Davidson's method; for the smallest of A·x = λx */
  preconditioner?: Precondition;
  /** largest residual ‖Ax − θBx‖ over ‖A‖‖x‖, 1e-9 if left out */
  tolerance?: number;
  /** count eigenvalues by factorizations, to show that none is missing; left out: where that takes seconds at most */
  proof?: boolean;
  /** left out: the fastest available */
  engine?: Engine | EngineName;
}

/** Options of any choice of eigenvalues, or of singular values: their number, the count, and limits */
export type CountOptions = Pick<EigsOptions, "p" | "tolerance" | "proof" | "engine" | keyof SolveOptions>;

export const countSchema: SchemaOf<CountOptions> = {
  p: whole(1),
  tolerance: positive,
  proof: bool,
  engine: anything,
  seed: whole(0),
  signal,
  maxSeconds: positive,
  maxEvaluations: positive,
};

const schema = {
  ...countSchema,
  which: oneOf(["smallest", "largest", "nearest"]),
  sigma: finite,
  B: anything,
  solve: anything,
  n: whole(1),
  preconditioner: func,
} satisfies Schema;

export type CheckedOptions = EigsOptions & { which: "smallest" | "largest" | "nearest" };

export function checkedOptions(options: EigsOptions | number): CheckedOptions {
  const o = chosenOptions(NAME, typeof options === "number" ? { p: options } : options, schema);
  if (o.p === undefined) throw new ProblemError(`${NAME}: p, the number of eigenvalues, is missing; give { p }.`);
  const which = o.which ?? (o.sigma === undefined ? "smallest" : "nearest");
  if (which === "nearest" && o.sigma === undefined) {
    throw new ProblemError(
      `${NAME}: which is 'nearest' but there is no sigma; give the number whose neighbours are wanted.`,
    );
  }
  if (which !== "nearest" && o.sigma !== undefined) {
    throw new ProblemError(`${NAME}: which is '${which}' but sigma is ${o.sigma}; leave one of them out.`);
  }
  if (o.preconditioner && (which !== "smallest" || o.B !== undefined)) {
    throw new ProblemError(`${NAME}: a preconditioner is for the smallest eigenvalues of A·x = λx; leave it out.`);
  }
  if (o.solve !== undefined && !isProduct(o.solve))
    throw new ProblemError(`${NAME}: solve is ${shown(o.solve)}; give x ↦ B⁻¹x, or { n, apply(Y, X) }.`);
  return { ...o, which };
}
