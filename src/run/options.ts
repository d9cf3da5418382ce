import type { Constraint } from "../constraints/constraint.js";
import type { Manifold, Plain, View } from "../constraints/manifold.js";
import { nearest } from "../nearest.js";
import {
  amount,
  anything,
  bool,
  chosenOptions,
  func,
  integer,
  number,
  object,
  oneOf,
  requireKind,
  type Schema,
  type SchemaOf,
  signal,
  text,
} from "../options.js";
import { wrongSizes } from "../shape.js";
import { type OptionName, type SolverName, type SolverOptions, solvers, staysFeasible } from "../solvers/catalog.js";
import { requireOptions } from "../solvers/entry.js";
import type { Engine, Matrix, Observer, Stop, Tall } from "../types.js";
import type { Events } from "./events.js";

export interface StiefelOptions extends Omit<SolverOptions, "tolerance" | "evaluations" | "watch" | "note"> {
  solver?: SolverName;
  /**
   * Riemannian gradient norm to reach (absolute). Left out: 1e-6, and 1e-6 of the largest gradient of the run where that is smaller
   * (of a random point besides, where the start has next to none). Never below 4ε·‖∇f(X0)‖, which is rounding.
   */
  tol?: number;
  /** gradient norm to reach, as a part of that at the start; beside `tol`, the larger of both is reached first */
  relTol?: number;
  maxIterations?: number;
  /** calls of f, of its gradient (both at once count once) and of its Hessian, after which the run ends with the step it is at */
  maxEvaluations?: number;
  maxSeconds?: number;
  signal?: AbortSignal;
  /** further rules, checked after the ones above */
  stop?: Stop;
  observe?: Observer;
  /** listeners by event, beside `observe` */
  on?: Events;
  /** where to begin: any n×p matrix (made feasible with a word if it is not); left out: a seeded random point */
  start?: Matrix;
  /** of the random start and of everything else that is random */
  seed?: number;
  /** the known minimum, for the gap */
  optimum?: number | undefined;
  /** how far the certificate goes; "second-order" also leaves saddles and searches the other components of the manifold */
  certificate?: "stationary" | "second-order";
  /**
   * Evaluations that the certificate may take beside those of the run. Left out: as many as the run took gradients,
   * at least 16. To leave a saddle of which n·p is large takes as many again.
   */
  certificateBudget?: number;
  /** "newton": after the tolerance is met, trust-region Newton steps down to the rounding floor of the gradient */
  finish?: "newton";
  /** keep f, ‖g‖, step of every iteration */
  history?: boolean;
}

/** A manifold and an engine beside the options of a run; listeners are `events` here. */
export interface MinimizeOnOptions<P extends View = Tall>
  extends Omit<StiefelOptions, "on" | "start" | "precondition"> {
  /** where X lives: stiefel(n, p), product({ U: …, V: … }), … */
  on: Manifold<P>;
  events?: Events;
  start?: Plain<P>;
  precondition?: (Z: P, X: P, G: P) => void;
  engine?: Engine;
  /** compare the gradient with differences of f before the run; a tape's gradient needs none */
  check?: boolean;
}

/** n, p and an engine beside the options of a run. */
export interface MinimizeOptions extends StiefelOptions {
  n: number;
  p: number;
  engine?: Engine;
  /** compare the gradient with differences of f before the run (five evaluations, or nine); a tape's gradient needs none */
  check?: boolean;
}

/** Throws a sentence about the first option that is wrong. */
export function checkOptions(n: number, p: number, o: StiefelOptions): void {
  const wrong = wrongSizes(n, p);
  if (wrong) throw new RangeError(wrong);
  checkRunOptions(o);
}

/** The same without sizes, which a manifold has checked; `more`: what the caller takes besides. */
export function checkRunOptions(o: StiefelOptions, more: Schema = {}): void {
  chosenOptions("", o, { ...runSchema, ...OF_SOLVERS, ...more });
  checkSolverOptions(o);
}

/** The solver knows the terms and functions that it is given, and the options of its own are what they must be. */
export function checkSolverOptions(o: StiefelOptions): void {
  if ("bind" in Object(o.on)) {
    const { text } = o.on as unknown as Manifold;
    throw new RangeError(`on is the manifold ${text}; here it takes listeners, as { iteration: (state) => … }.`);
  }
  chosenOptions("listeners", o.on, eventKinds);
  const { finish, solver = "expen", nonsmooth, precondition } = o;
  if (!Object.hasOwn(solvers, solver)) {
    const names = Object.keys(solvers);
    const near = nearest(solver, names);
    const hint = near ? `; did you mean '${near}'?` : ".";
    throw new RangeError(`solver '${solver}' is none of ${names.join(", ")}${hint}`);
  }
  if (nonsmooth && !knows(solver, "nonsmooth")) {
    throw new RangeError(`nonsmooth: the solver is '${solver}'; only ${able("nonsmooth")} knows proximal maps.`);
  }
  if (nonsmooth && finish) {
    throw new RangeError(`finish is '${finish}'; a nonsmooth term has no second derivatives, leave it out.`);
  }
  if (precondition && !knows(solver, "precondition")) {
    throw new RangeError(
      `solver '${solver}' takes no preconditioner; leave it out or take one of ${able("precondition")}.`,
    );
  }
  requireOptions(solvers[solver].schema, o);
}

/** The same of the options of `minimize` */
export function checkMinimizeOptions<P extends View>(o: MinimizeOnOptions<P>): void {
  if (o.events !== undefined) requireKind("events", object, o.events);
  checkRunOptions({ ...o, on: o.events } as unknown as StiefelOptions, { events: object });
}

/** The options of a run, beside those that solvers have */
export const runSchema = {
  solver: text,
  tol: amount,
  relTol: amount,
  maxIterations: amount,
  maxEvaluations: amount,
  maxSeconds: amount,
  signal,
  stop: func,
  observe: func,
  on: object,
  start: anything,
  seed: integer,
  optimum: number,
  certificate: oneOf(["stationary", "second-order"]),
  certificateBudget: amount,
  finish: oneOf(["newton"]),
  history: bool,
  // looked at where it is used
  engine: anything,
  check: bool,
} satisfies SchemaOf<Omit<MinimizeOptions, OptionName | "n" | "p">>;

const eventKinds: SchemaOf<Events> = { iteration: func, stage: func, saddle: func, end: func };

/** Every option of every solver: what it may be is checked with the solver's own schema. */
export const OF_SOLVERS: Schema = Object.fromEntries(
  Object.values(solvers).flatMap(({ options }) => options.map((name) => [name, anything])),
);

/** Whether the solver has a meaning on the constraint */
export function worksOn(name: SolverName, on: Constraint): boolean {
  const { needs } = solvers[name];
  return needs === undefined || (needs === "orthonormal" ? on.traits.orthonormal : !on.traits.metric);
}

/** Throws a sentence where the solver has no meaning on the constraint. */
export function requireSolverOn({ solver = "expen", nonsmooth }: StiefelOptions, on: Constraint): void {
  if (!worksOn(solver, on)) {
    const able = (Object.keys(solvers) as SolverName[]).filter((name) => worksOn(name, on)).join(", ");
    throw new RangeError(`solver '${solver}' has no meaning on ${on.name}; take one of ${able}.`);
  }
  if (nonsmooth && !on.traits.orthonormal) {
    throw new RangeError(`nonsmooth: X lives on ${on.name}; proximal maps are known for orthonormal columns alone.`);
  }
}

/** Throws a sentence where the run would need f or its gradient off the manifold. `why`: they are not to be used there */
export function requireFeasible({ solver = "expen", beta, finish }: StiefelOptions, why: string): void {
  const names = (Object.keys(solvers) as SolverName[]).filter((name) => staysFeasible(name)).join(", ");
  const how = `add the terms, or take one of ${names}`;
  if (finish) throw new RangeError(`finish is '${finish}', which leaves the manifold; ${why}; leave it out.`);
  if (!staysFeasible(solver, beta)) {
    const given = staysFeasible(solver) ? `solver '${solver}' with a beta` : `solver '${solver}'`;
    throw new RangeError(`${given} leaves the manifold; ${why}; ${how}.`);
  }
}

const knows = (solver: SolverName, option: OptionName): boolean => option in solvers[solver].schema;
const able = (option: OptionName): string =>
  (Object.keys(solvers) as SolverName[]).filter((name) => knows(name, option)).join(", ");
