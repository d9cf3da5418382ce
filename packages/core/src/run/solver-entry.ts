import type { Engine, Tall } from "@expen/linalg";
import { requireKind } from "@expen/linalg";
import type { Held } from "@expen/linalg/memory";
import type { Constraint } from "../contracts/constraint.js";
import type { Solver } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { BetaRule } from "../expen/beta.js";
import { type CgRuleName, cgRules } from "../methods/cg-rules.js";
import type { Watch } from "../methods/precondition/watch.js";
import { withoutHarm } from "../methods/precondition/watched.js";
import {
  type BetaOption,
  type ChoiceOption,
  type FunctionOption,
  type IntegerOption,
  kindOf,
  type Option,
  type TermOption,
  type ValueOf,
} from "./option-schema.js";

/** Every option that a solver may have, by name; which of them, and with which values and default, its own schema says. */
export interface Vocabulary {
  /** penalty parameter, for the solvers that have one */
  beta: BetaOption;
  /** conjugate gradient rule */
  rule: ChoiceOption<CgRuleName>;
  /** pairs of limited-memory methods */
  memory: IntegerOption;
  /** which of the solver's variants; its entry lists them */
  variant: ChoiceOption;
  /** how feasible methods return to the manifold */
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

/** What every run hands to its solver */
interface Common {
  /** what the run is stopped at; some searches accept a point for it */
  tolerance?: number;
  seed?: number;
  /** counters of the objective, shown in the states */
  evaluations?: Evaluations;
  /** judges the preconditioner, where there is one */
  watch?: Watch;
  /** takes a sentence for the notes of the result */
  note?: (text: string) => void;
  /** is told which method the default has taken, and why */
  chose?: (method: { readonly name: string; readonly why: string }) => void;
}

/** Where X lives; left out: XᵀX = I */
export interface Where {
  on?: Constraint;
}

/** What a user may choose; each solver reads what is in its schema. */
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
  /** the options it reads beyond the common ones: values, defaults, help */
  readonly schema: Schema;
  /** their names */
  readonly options: readonly OptionName[];
  /**
   * what it asks of the constraint, if anything: `orthonormal` is real orthonormal columns, `metric` the metric of ℝⁿˣᵖ, B = I
   */
  readonly needs?: "orthonormal" | "metric";
  /** matrices of a run, for the comparison with the memory there is */
  readonly holds: Held;
  /** values of `variant`, the default first */
  readonly variants?: readonly string[];
  /** whether f is evaluated on the manifold alone, to rounding; absent: it is not */
  readonly feasible?: (beta: BetaRule) => boolean;
  /** Starts a run at the feasible X0, with options that were checked; those left out have their defaults. */
  begin(E: Engine, f: Objective, X0: Tall, o: SolverOptions & Where): Solver;
  /** The same with options of any kind: throws a sentence about the first that is wrong. */
  create(E: Engine, f: Objective, X0: Tall, o: SolverOptions & Where): Solver;
}

interface Written<S extends Schema> extends Pick<SolverEntry, "title" | "needs" | "holds" | "feasible"> {
  options: S;
  create(E: Engine, f: Objective, X0: Tall, o: Chosen<S>): Solver;
}

/** An entry of a solver that evaluates f on the manifold alone */
export const feasibleEntry = <const S extends Schema>(written: Written<S>): SolverEntry =>
  solverEntry({ ...written, feasible: () => true });

/** An entry from its title, its options, and `create`, which gets these options with their defaults and no others. */
export function solverEntry<const S extends Schema>({ options: schema, create, ...rest }: Written<S>): SolverEntry {
  const begin: SolverEntry["begin"] = (E, f, X0, given) => {
    const o = withDefaults(schema, given);
    if (!given.precondition || !schema.precondition || o.watch) return create(E, f, X0, o);
    return withoutHarm(E, f, X0, given, (X0, o) => create(E, f, X0, withDefaults(schema, o)));
  };
  return {
    ...rest,
    schema,
    options: Object.keys(schema) as OptionName[],
    variants: schema.variant?.names,
    begin,
    create(E, f, X0, o) {
      requireOptions(schema, o);
      return begin(E, f, X0, o);
    },
  };
}

function withDefaults<S extends Schema>(schema: S, given: SolverOptions & Where): Chosen<S> {
  const { on, tolerance, seed, evaluations, watch, note, chose } = given;
  const usual = (option: Option): unknown => ("default" in option ? option.default : undefined);
  const values = Object.entries(schema).map(([name, option]) => [name, given[name as OptionName] ?? usual(option)]);
  return { on, tolerance, seed, evaluations, watch, note, chose, ...Object.fromEntries(values) } as Chosen<S>;
}

/** Throws a sentence about the first option of the schema that has a value of another kind. */
function requireOptions(schema: Schema, given: SolverOptions): void {
  for (const [name, option] of Object.entries(schema)) {
    const value = given[name as OptionName];
    if (value !== undefined) requireKind(name, kindOf(option), value);
  }
}

/** What several solvers have alike; one that has a value or a default of its own adds it. */
export const beta = {
  kind: "beta",
  help: "penalty parameter",
  default: "auto",
} as const;
export const rule = {
  kind: "choice",
  help: "conjugate gradient rule",
  names: Object.keys(cgRules) as CgRuleName[],
} as const;
export const memory = { kind: "integer", help: "pairs of limited-memory methods", least: 1 } as const;
export const precondition = { kind: "function", help: "an approximate inverse of the Hessian" } as const;

/** The first name is the default. */
export const variant = <const N extends readonly [string, ...string[]]>(names: N) =>
  ({
    kind: "choice",
    help: "variant of the method",
    names: names as readonly N[number][],
    default: names[0] as N[number],
  }) as const;
