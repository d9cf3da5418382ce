import type { Engine, Matrix, Tall } from "@expen/linalg";
import {
  amount,
  anything,
  bool,
  chosenOptions,
  either,
  func,
  integer,
  list,
  nearest,
  number,
  object,
  oneOf,
  positive,
  type Schema,
  type SchemaOf,
  signal,
  text,
  whole,
  wrongSizes,
} from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Manifold, PointLike, View } from "../contracts/manifold.js";
import type { Observer, Stop } from "../contracts/method.js";
import { hasEquations } from "../manifolds/equations.js";
import type { Subject } from "../sets/subject.js";
import type { Events } from "./events.js";
import { kindOf, widest } from "./option-schema.js";
import type { OptionName, SolverEntry, SolverOptions } from "./solver-entry.js";
import { DEFAULT_SOLVER } from "./strategy.js";

export interface StiefelOptions extends Omit<SolverOptions, "tolerance" | "evaluations" | "watch" | "note" | "chose"> {
  /** the name of a solver of the composition; left out: the default chooses a method */
  solver?: string;
  /**
   * Riemannian gradient norm to reach (absolute). Left out: 1e-6, and 1e-6 of the largest gradient of the run where that is smaller
   * (of a random point besides, if the start has next to none). Never below 4ε·‖∇f(X0)‖, which is roundoff.
   */
  tol?: number;
  /** gradient norm to reach, as a part of that at the start; beside `tol`, the larger of both is reached first */
  relTol?: number;
  maxIterations?: number;
  /** calls of f, of its gradient (both at once count once) and of its Hessian, after which the run ends with its present step */
  maxEvaluations?: number;
  maxSeconds?: number;
  signal?: AbortSignal;
  /** further rules, checked after the ones above */
  stop?: Stop;
  observe?: Observer;
  /** listeners by event, beside `observe` */
  events?: Events;
  /** any n×p matrix, made feasible with a note if it is not; left out: a seeded random point */
  start?: Matrix;
  /** of all random numbers of the run, those of the start among them */
  seed?: number;
  /** the known minimum, for the gap */
  optimum?: number | undefined;
  /**
   * "brief", the default: proofs that cost no evaluations, and second order as far as a quarter of the run's evaluations show it;
   * "second-order": as many as show it, with all curvatures where they cost little; "stationary": no second order. Saddles that are seen
   * are left, and the other components of the manifold are searched, but for "stationary".
   */
  certificate?: "brief" | "second-order" | "stationary";
  /**
   * Evaluations that the certificate may take beside those of the run, and uses up, in the place of the number above. To leave a saddle
   * with large n·p takes as many again.
   */
  certificateBudget?: number;
  /** "newton": after the tolerance is met, trust-region Newton steps down to the rounding floor of the gradient */
  finish?: "newton";
  /**
   * keep f, ‖grad f‖, evaluations and seconds of every iteration in the result. Where a solver has a penalty, f is measured at the
   * nearest feasible point: an evaluation a step that counts for nothing
   */
  history?: boolean;
}

/** Constraints beside the manifold, options of `minimize` alone */
export interface SubjectOptions {
  /** constraints beside the manifold: [nonnegative()], [bounds(0, 1)], [atMost(g), equal(h)] */
  subjectTo?: readonly Subject[];
  /** largest violation and complementarity of `subjectTo` at the end; left out: 1e-6 */
  constraintTolerance?: number;
  /** with `subjectTo`: runs from as many starts, the first one yours, the others random; the best answer is taken. 1 if left out */
  starts?: number;
  /** X ≥ 0 with XᵀX = I: evaluations for moves of rows to another column; "auto", the default, is 2n, false none */
  exchange?: "auto" | number | boolean;
}

/** A manifold and an engine beside the options of a run. */
export interface MinimizeOptions<P extends View = Tall>
  extends Omit<StiefelOptions, "start" | "precondition">,
    SubjectOptions {
  /** the manifold: stiefel(n, p), product({ U: …, V: … }), … */
  on: Manifold<P>;
  start?: PointLike<P>;
  precondition?: (Z: P, X: P, G: P) => void;
  /** an engine, which stays open, or the name of one, which is open for the run; left out: the fastest available */
  engine?: Engine | (string & {});
  /**
   * Compare the gradient with f along the steps of the run, which costs no evaluation, and with differences of f where a step speaks
   * against it. "full": with differences before the run too, 4 evaluations or 8. A formula's gradient needs no check.
   */
  check?: boolean | "full";
}

/** Solvers by name */
export type Solvers = Readonly<Record<string, SolverEntry>>;

/** Throws a sentence about the first option that is wrong. `more`: options that the caller takes besides. */
export function checkRunOptions(solvers: Solvers, o: StiefelOptions, more: Schema = {}): void {
  chosenOptions("", o, { ...runSchema, ...optionsOfSolvers(solvers, o?.solver), ...more });
  checkSolver(solvers, o);
}

/** The same for orthonormal columns of the given sizes */
export function checkOptions(solvers: Solvers, n: number, p: number, o: StiefelOptions): void {
  const wrong = wrongSizes(n, p);
  if (wrong) throw new RangeError(wrong);
  checkRunOptions(solvers, o);
}

/** Throws a sentence where listeners are wrong, no solver has the name, or the solver takes no such term or preconditioner. */
export function checkSolver(solvers: Solvers, o: StiefelOptions): void {
  chosenOptions("events", o.events, eventKinds);
  const { finish, solver = DEFAULT_SOLVER, nonsmooth, precondition } = o;
  if (!Object.hasOwn(solvers, solver)) {
    const names = Object.keys(solvers);
    const near = nearest(solver, names);
    const hint = near ? `; did you mean '${near}'?` : ".";
    throw new RangeError(`solver '${solver}' is none of ${names.join(", ")}${hint}`);
  }
  const { schema } = solvers[solver]!;
  if (nonsmooth && !("nonsmooth" in schema)) {
    throw new RangeError(
      `nonsmooth: the solver is '${solver}'; only ${able(solvers, "nonsmooth")} knows proximal maps.`,
    );
  }
  if (nonsmooth && finish) {
    throw new RangeError(`finish is '${finish}'; a nonsmooth term has no second derivatives, leave it out.`);
  }
  if (precondition && !("precondition" in schema)) {
    throw new RangeError(
      `solver '${solver}' takes no preconditioner; leave it out or take one of ${able(solvers, "precondition")}.`,
    );
  }
}

/** The options of a run, beside those that solvers have */
export const runSchema: SchemaOf<Omit<MinimizeOptions, OptionName | keyof SubjectOptions | "on">> = {
  solver: text,
  tol: amount,
  relTol: amount,
  maxIterations: amount,
  maxEvaluations: amount,
  maxSeconds: amount,
  signal,
  stop: func,
  observe: func,
  events: object,
  start: anything,
  seed: integer,
  optimum: number,
  certificate: oneOf(["brief", "second-order", "stationary"]),
  certificateBudget: amount,
  finish: oneOf(["newton"]),
  history: bool,
  // checked by `onEngine`
  engine: anything,
  check: either(bool, oneOf(["full"])),
};

/** The constraints themselves are checked by sets/minimize.ts. */
export const subjectSchema: SchemaOf<SubjectOptions> = {
  subjectTo: list,
  constraintTolerance: positive,
  starts: whole(1),
  exchange: either(either(oneOf(["auto"]), bool), amount),
};

const eventKinds: SchemaOf<Events> = { iteration: func, stage: func, saddle: func, end: func };

/** Every option of every solver: the values that `solver` takes, and of an option that it does not read those that some solver takes */
export function optionsOfSolvers(solvers: Solvers, solver: string = DEFAULT_SOLVER): Schema {
  const entries = Object.values(solvers);
  const own = Object.hasOwn(solvers, solver) ? solvers[solver]!.schema : {};
  const names = [...new Set(entries.flatMap(({ options }) => options))];
  const option = (name: OptionName) => own[name] ?? widest(entries.flatMap(({ schema }) => schema[name] ?? []));
  return Object.fromEntries(names.map((name) => [name, kindOf(option(name))]));
}

/** Has the solver a meaning on the constraint? */
export const worksOn = ({ needs, general }: SolverEntry, on: Constraint): boolean => {
  if (hasEquations(on) && !general) return false;
  return needs === undefined || (needs === "orthonormal" ? on.traits.orthonormal : !on.traits.metric);
};

/** Throws a sentence if the solver has no meaning on the constraint. */
export function requireSolverOn(
  solvers: Solvers,
  { solver = DEFAULT_SOLVER, nonsmooth, beta = "auto", finish }: StiefelOptions,
  on: Constraint,
): void {
  if (hasEquations(on) && (finish || beta !== "auto")) {
    const given = finish ? `finish is '${finish}'` : `beta is ${beta}`;
    throw new RangeError(`${given}; ExPen's penalty is not known on ${on.name}: leave it out.`);
  }
  if (!worksOn(solvers[solver]!, on)) {
    const names = namesWhere(solvers, (entry) => worksOn(entry, on));
    throw new RangeError(`solver '${solver}' has no meaning on ${on.name}; take one of ${names}.`);
  }
  if (nonsmooth && !on.traits.orthonormal) {
    throw new RangeError(`nonsmooth: X lives on ${on.name}; proximal maps are known for orthonormal columns alone.`);
  }
}

/** Does the run need f and its gradient on the manifold alone? */
export const staysOnManifold = (
  solvers: Solvers,
  { solver = DEFAULT_SOLVER, beta = "auto", finish }: StiefelOptions,
): boolean => !finish && solvers[solver]!.feasible?.(beta) === true;

/** Throws a sentence if the run would need f or its gradient off the manifold. `why`: the reason why they cannot be used there */
export function requireFeasible(
  solvers: Solvers,
  { solver = DEFAULT_SOLVER, beta = "auto", finish }: StiefelOptions,
  why: string,
): void {
  const staysFeasible = ({ feasible }: SolverEntry): boolean => feasible?.("auto") ?? false;
  const how = `add the terms, or take one of ${namesWhere(solvers, staysFeasible)}`;
  if (finish) throw new RangeError(`finish is '${finish}', which leaves the manifold; ${why}; leave it out.`);
  const entry = solvers[solver]!;
  if (!entry.feasible?.(beta)) {
    const given = staysFeasible(entry) ? `solver '${solver}' with a beta` : `solver '${solver}'`;
    throw new RangeError(`${given} leaves the manifold; ${why}; ${how}.`);
  }
}

const able = (solvers: Solvers, option: OptionName): string => namesWhere(solvers, ({ schema }) => option in schema);

const namesWhere = (solvers: Solvers, holds: (entry: SolverEntry) => boolean): string =>
  Object.keys(solvers)
    .filter((name) => holds(solvers[name]!))
    .join(", ");
