import type { Engine, Tall } from "@expen/linalg";
import { requireKind } from "@expen/linalg";
import type { Held } from "@expen/linalg/memory";
import type { Constraint } from "../contracts/constraint.js";
import type { Solver } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { BetaRule } from "../expen/beta-rules.js";
import { type CgRuleName, cgRules } from "../methods/cg-rules.js";
import type { Watch } from "../methods/precondition/watch.js";
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

interface Written<S extends Schema> extends Pick<SolverEntry, "title" | "needs" | "general" | "holds" | "feasible"> {
  options: S;
  /** Imports the method, which gets the options of the schema with their defaults and no others. */
  load(f: Objective, o: SolverOptions & Where): Promise<BeginSolver<Chosen<S>>>;
}

/** An entry of a solver that evaluates f on the manifold alone */
export const feasibleEntry = /* @__NO_SIDE_EFFECTS__ */ <const S extends Schema>(written: Written<S>): SolverEntry =>
  solverEntry({ ...written, feasible: () => true });

/** An entry from its title, its options, and `load`. */
/* @__NO_SIDE_EFFECTS__ */ export function solverEntry<const S extends Schema>({
  options: schema,
  load: own,
  ...rest
}: Written<S>): SolverEntry {
  const load: SolverEntry["load"] = async (f, options) => {
    const method = await own(f, options);
    const begin: BeginSolver = (E, f, X0, o) => method(E, f, X0, withDefaults(schema, o));
    if (!options.precondition || !schema.precondition) return begin;
    const { withoutHarm } = await import("../methods/precondition/watched.js");
    return (E, f, X0, o) => (o.watch ? begin(E, f, X0, o) : withoutHarm(E, f, X0, o, (X0, o) => begin(E, f, X0, o)));
  };
  return {
    ...rest,
    schema,
    options: Object.keys(schema) as OptionName[],
    variants: schema.variant?.names,
    load,
    async create(E, f, X0, o) {
      requireOptions(schema, o);
      return (await load(f, o))(E, f, X0, o);
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

/** Options of several solvers; a solver adds its own default. */
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
