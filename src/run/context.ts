import { firstGradient } from "../first-gradient.js";
import { polar } from "../linalg/polar.js";
import { type Measurer, measurer } from "../measure.js";
import { counted, noEvaluations } from "../objective.js";
import type { StiefelOptions } from "../options.js";
import type { Row } from "../result.js";
import { givenStart, randomStart } from "../start.js";
import type { Engine, Evaluations, Matrix, Objective, State, Tall } from "../types.js";

const DEFAULT_TOL = 1e-6;

/** What was done before a run for its sake: when it began, and the evaluations so far. */
export interface Spent {
  began: number;
  evaluations: Evaluations;
}

export const nothingSpent = (): Spent => ({ began: performance.now(), evaluations: noEvaluations() });

/** What all rounds of a run share. */
export interface Run {
  readonly E: Engine;
  readonly f: Objective;
  readonly o: StiefelOptions;
  /** f with its calls counted in `evaluations` */
  readonly F: Objective;
  readonly evaluations: Evaluations;
  readonly ruler: Measurer;
  /** Y ← the nearest feasible point to X */
  readonly project: (Y: Matrix, X: Matrix) => void;
  /** where a round starts, and where its end is projected to */
  readonly X: Tall;
  /** what was done to the input or on the way, in words */
  readonly notes: string[];
  readonly history: Row[];
  /** what certificates took */
  readonly certifying: { evaluations: Evaluations; seconds: number };
  /** the engine's count of operations when the run began */
  readonly flops: number;
  readonly seed: number;
  /** iterations of the rounds before this one */
  done: number;
  saddles: number;
  /** seconds since the run began */
  elapsed(): number;
  /** the gradient norm to reach: what was asked for, but not less than rounding leaves of a gradient that is zero */
  tolerance(s: State): number;
}

export function newRun(E: Engine, f: Objective, o: StiefelOptions, { began, evaluations }: Spent): Run {
  const { n, p } = f;
  const notes: string[] = [];
  const { f: F, norm: startGradient } = firstGradient(E, counted(f, evaluations));
  const ruler = measurer(E, F, o.nonsmooth);
  const X = startOf(E, n, p, o, notes);
  /** of the gradient at the start */
  let first: number | undefined;
  // a solver that knows the form of f may never ask for the gradient at the start
  if (f.quadratic) ruler.measure(X);
  return {
    E,
    f,
    o,
    F,
    evaluations,
    ruler,
    project: polar(E, n, p),
    X,
    notes,
    history: [],
    certifying: { evaluations: noEvaluations(), seconds: 0 },
    flops: E.counters.flops,
    seed: o.seed ?? 1,
    done: 0,
    saddles: 0,
    elapsed: () => (performance.now() - began) / 1000,
    tolerance(s) {
      first ??= s.gnorm;
      const absolute = o.tol ?? (o.relTol === undefined ? DEFAULT_TOL * Math.min(1, s.gnormMax) : 0);
      return Math.max(absolute, (o.relTol ?? 0) * first, 4 * 2 ** -52 * startGradient());
    },
  };
}

/** The given point made feasible, or a seeded random one. */
export function startOf(E: Engine, n: number, p: number, { start, seed = 1 }: StiefelOptions, notes: string[]): Tall {
  return start ? givenStart(E, start, n, p, notes) : randomStart(E, n, p, seed);
}
