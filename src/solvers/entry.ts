import type { RetractionName } from "../geometry/stiefel.js";
import type { Held } from "../memory/need.js";
import type { BetaRule } from "../penalty/beta.js";
import type { Engine, Evaluations, Matrix, Nonsmooth, Objective, Precondition, Solver } from "../types.js";
import type { CgRuleName } from "./cg-rules.js";

/** What a user may choose; each solver reads what concerns it. */
export interface SolverOptions {
  /** penalty parameter, for the solvers that have one */
  beta?: BetaRule;
  /** conjugate gradient rule */
  rule?: CgRuleName;
  /** pairs of limited-memory methods */
  memory?: number;
  /** which of the solver's variants; its entry lists them */
  variant?: string;
  /** how feasible methods return to the manifold */
  retraction?: RetractionName;
  /** line search of the Riemannian conjugate gradients: Pymanopt's adaptive one, or strong Wolfe */
  search?: "adaptive" | "wolfe";
  /** Hessian of second-order methods: the objective's own, or differences of gradients */
  hessian?: "exact" | "differences";
  /** steps after which a trivialization moves its base */
  rebase?: number;
  /** a term r(X) added to f, for solvers with proximal maps */
  nonsmooth?: Nonsmooth;
  /** of limited-memory BFGS, conjugate gradients and Newton methods */
  precondition?: Precondition;
  /** what the run is stopped at; some searches accept a point for it */
  tolerance?: number;
  seed?: number;
  /** counters of the objective, shown in the states */
  evaluations?: Evaluations;
}

export interface SolverEntry {
  /** one line for help and tables */
  readonly title: string;
  /** the options it reads beyond the common ones */
  readonly options?: readonly (keyof SolverOptions)[];
  /** matrices of a run, for the comparison with the memory there is */
  readonly holds: Held;
  /** values of `variant`, the default first */
  readonly variants?: readonly string[];
  /** Starts a run at the feasible X0. */
  create(E: Engine, f: Objective, X0: Matrix, o: SolverOptions): Solver;
}

/** The preconditioner, where one was given. */
export const preconditioned = ({ precondition }: SolverOptions): Pick<SolverOptions, "precondition"> => ({
  ...(precondition && { precondition }),
});

/** One of the names, the first where none is given; another is an error. */
export function choice<T extends string>(what: string, names: readonly [T, ...T[]], given: string | undefined): T {
  if (given === undefined) return names[0];
  const name = names.find((candidate) => candidate === given);
  if (name === undefined) throw new RangeError(`${what} is '${given}'; it must be one of ${names.join(", ")}.`);
  return name;
}
