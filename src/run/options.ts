import type { Constraint } from "../constraints/constraint.js";
import type { Manifold, Plain, View } from "../constraints/manifold.js";
import { nearest } from "../nearest.js";
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
  /** how far the certificate goes; "second-order" also leaves saddles */
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

/** The same without sizes, which a manifold has checked. */
export function checkRunOptions(o: StiefelOptions): void {
  for (const [name, value] of Object.entries(o)) requireOption(name, value);
  const { finish, solver = "expen", nonsmooth, precondition } = o;
  if (!Object.hasOwn(solvers, solver)) {
    throw new RangeError(`solver '${solver}' is none of ${Object.keys(solvers).join(", ")}.`);
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

type Kind = "amount" | "number" | "function" | "object" | "any" | readonly string[];

/** What the options of a run may be, beside those that solvers have; some are looked at elsewhere. */
const KINDS: { readonly [K in Exclude<keyof MinimizeOptions, OptionName | "n" | "p">]: Kind } = {
  solver: "any",
  tol: "amount",
  relTol: "amount",
  maxIterations: "amount",
  maxEvaluations: "amount",
  maxSeconds: "amount",
  signal: "object",
  stop: "function",
  observe: "function",
  on: "object",
  start: "any",
  seed: "any",
  optimum: "number",
  certificate: ["stationary", "second-order"],
  certificateBudget: "amount",
  finish: ["newton"],
  history: "any",
  engine: "any",
  check: "any",
};

const OF_SOLVERS: ReadonlySet<string> = new Set(Object.values(solvers).flatMap(({ options }) => options));

const DEMANDS = {
  amount: "a number, 0 or more",
  number: "a number",
  function: "a function",
  object: "an object",
  any: "",
};

/** Throws a sentence about a name that is no option, or a value that is none for it. */
function requireOption(name: string, value: unknown): void {
  const kind = (KINDS as Record<string, Kind>)[name];
  if (!kind) {
    if (OF_SOLVERS.has(name)) return;
    const names = [...Object.keys(KINDS), ...OF_SOLVERS];
    const near = names.find((known) => known.startsWith(name)) ?? nearest(name, names);
    throw new RangeError(`there is no option '${name}'${near ? `; did you mean '${near}'?` : "."}`);
  }
  if (value === undefined || value === null || fits(kind, value)) return;
  const demand = typeof kind === "string" ? DEMANDS[kind] : kind.map((word) => `'${word}'`).join(" or ");
  throw new RangeError(`${name} is ${typeof value === "object" ? "an object" : String(value)}; it must be ${demand}.`);
}

function fits(kind: Kind, value: unknown): boolean {
  if (kind === "any") return true;
  if (kind === "amount") return typeof value === "number" && value >= 0;
  if (kind === "number") return typeof value === "number" && !Number.isNaN(value);
  return typeof kind === "string" ? typeof value === kind : kind.includes(value as string);
}

/** Whether the solver has a meaning on the constraint */
export function worksOn(name: SolverName, on: Constraint): boolean {
  const { needs } = solvers[name];
  return needs === undefined || (needs === "orthonormal" ? on.orthonormal : !on.direction);
}

/** Throws a sentence where the solver has no meaning on the constraint. */
export function requireSolverOn({ solver = "expen", nonsmooth }: StiefelOptions, on: Constraint): void {
  if (!worksOn(solver, on)) {
    const able = (Object.keys(solvers) as SolverName[]).filter((name) => worksOn(name, on)).join(", ");
    throw new RangeError(`solver '${solver}' has no meaning on ${on.name}; take one of ${able}.`);
  }
  if (nonsmooth && !on.orthonormal) {
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
