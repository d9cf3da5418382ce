/** Solvers by name, with their options as data. */

import type { Engine, Tall } from "@expen/linalg";
import type { Held } from "@expen/linalg/memory";
import type { BetaRule } from "../expen/beta-rules.js";
import type { CgRuleName } from "../methods/cg-rules.js";
import type { Watch } from "../methods/precondition/watch.js";
import type { Constraint } from "./constraint.js";
import type { Precondition, Solver } from "./method.js";
import type { Evaluations, Nonsmooth, Objective, Term } from "./objective.js";

export interface IntegerOption {
  readonly kind: "integer";
  readonly help: string;
  readonly least: number;
  /** Infinity is a value too */
  readonly endless?: true;
  readonly default?: number;
}

export interface ChoiceOption<T extends string = string> {
  readonly kind: "choice";
  readonly help: string;
  readonly names: readonly T[];
  readonly default?: T;
}

export interface BetaOption {
  readonly kind: "beta";
  readonly help: string;
  readonly default: "auto";
}

/** Functions and terms come from programs only; a solver without this option must not get one. */
export interface FunctionOption {
  readonly kind: "function";
  readonly help: string;
}

export interface TermOption {
  readonly kind: "term";
  readonly help: string;
}

export type Option = IntegerOption | ChoiceOption | BetaOption | FunctionOption | TermOption;
export type TextOption = IntegerOption | ChoiceOption | BetaOption;

/** The type of an option's values */
export type ValueOf<O extends Option> = O extends IntegerOption
  ? number
  : O extends ChoiceOption<infer T>
    ? T
    : O extends BetaOption
      ? BetaRule
      : O extends FunctionOption
        ? Precondition
        : Nonsmooth | Term;

/** All options of solvers by name; the schema of a solver has some of them, with their values and defaults. */
export interface Vocabulary {
  /** penalty parameter, for the solvers that have one */
  beta: BetaOption;
  /** conjugate gradient rule */
  rule: ChoiceOption<CgRuleName>;
  /** pairs of limited-memory methods */
  memory: IntegerOption;
  /** one of the solver's variants, which its entry lists */
  variant: ChoiceOption;
  /** the retraction of feasible methods */
  retraction: ChoiceOption;
  /** line search of the Riemannian conjugate gradients: Pymanopt's adaptive one, or strong Wolfe */
  search: ChoiceOption<"adaptive" | "wolfe">;
  /** Hessian of second-order methods: the objective's own, or differences of gradients */
  hessian: ChoiceOption<"exact" | "differences">;
  /** steps after which a trivialization moves its base */
  rebase: IntegerOption;
  /** a term r(X) added to f, for solvers with proximal maps */
  nonsmooth: TermOption;
  /** of limited-memory BFGS, conjugate gradients and Newton methods */
  precondition: FunctionOption;
}

export type OptionName = keyof Vocabulary;
export type Schema = { readonly [K in OptionName]?: Vocabulary[K] };

/** Options that every run gives to its solver */
interface Common {
  /** the tolerance of the run; some searches accept a point for it */
  tolerance?: number;
  seed?: number;
  /** counters of the objective, shown in the states */
  evaluations?: Evaluations;
  /** judges the preconditioner */
  watch?: Watch;
  /** takes a sentence for the notes of the result */
  note?: (text: string) => void;
  /** takes the method of the default with its reason */
  chose?: (method: { readonly name: string; readonly why: string }) => void;
}

/** The manifold; left out: XᵀX = I */
export interface Where {
  on?: Constraint;
}

/** The options of all solvers; each reads those of its schema. */
export interface SolverOptions extends Values, Common {}
type Values = { [K in OptionName]?: ValueOf<Vocabulary[K]> };

/** The options of one schema, checked, defaults filled in */
export type Chosen<S> = Common &
  Where & {
    readonly [K in keyof S & OptionName as S[K] extends WithDefault ? K : never]: ValueOf<Extract<S[K], Option>>;
  } & {
    readonly [K in keyof S & OptionName as S[K] extends WithDefault ? never : K]?: ValueOf<Extract<S[K], Option>>;
  };
type WithDefault = { readonly default: unknown };

export interface SolverEntry {
  /** one line for help and tables */
  readonly title: string;
  /** its options beside the common ones: values, defaults, help */
  readonly schema: Schema;
  /** their names */
  readonly options: readonly OptionName[];
  /**
   * its condition on the constraint: `orthonormal` is real orthonormal columns, `metric` the metric of ℝⁿˣᵖ, B = I
   */
  readonly needs?: "orthonormal" | "metric";
  /** tangent vectors and ways back are all that it needs of a constraint: it runs on equations of the user's own too */
  readonly general?: boolean;
  /** matrices of a run, for the comparison with the memory of the machine */
  readonly holds: Held;
  /** values of `variant`, the default first */
  readonly variants?: readonly string[];
  /** Is f evaluated only on the manifold, to roundoff? Absent: no */
  readonly feasible?: (beta: BetaRule) => boolean;
  /** Imports the method, with all that a run on this f with these options may need of it. */
  load(f: Objective, o: SolverOptions & Where): Promise<BeginSolver>;
  /** Imports the method and begins, with options of any kind: throws a sentence about the first that is wrong. */
  create(E: Engine, f: Objective, X0: Tall, o: SolverOptions & Where): Promise<Solver>;
}

/** Begins a run at the feasible X0, with options that were checked; those left out have their defaults. */
export type BeginSolver<O = SolverOptions & Where> = (E: Engine, f: Objective, X0: Tall, o: O) => Solver;

/** Solvers by name */
export type Solvers = Readonly<Record<string, SolverEntry>>;
