/** The beginning of a run */

import { measurer } from "../certify/measure.js";
import type { Evaluator } from "../contracts/evaluator.js";
import type { Domain, Place, View } from "../contracts/manifold.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { leaves } from "../manifolds/view.js";
import { evaluator, noEvaluations } from "../objective/evaluator.js";
import type { Imports } from "./imports.js";
import type { StiefelOptions } from "./options.js";
import type { Run, Spent } from "./run.js";
import { startOf } from "./start.js";

export const nothingSpent = (): Spent => ({ began: performance.now(), evaluations: noEvaluations() });

/** f with its calls counted in `calls` */
export const evaluatorOn = (bound: Domain<View>, f: Objective, calls: Evaluations): Evaluator =>
  evaluator(bound.E, f, calls, (X) => leaves(bound.view(X)).map(({ matrix }) => matrix));

/** `known`: the start and the evaluator, where they are made already */
export function newRun(
  { term, ignored }: Partial<Imports>,
  { on: { text }, bound }: Place,
  f: Objective,
  o: StiefelOptions,
  { began, evaluations }: Spent,
  known: Partial<Pick<Run, "X" | "F" | "notes">> = {},
): Run {
  const { E, on } = bound;
  const { notes = [], X = startOf(bound, o, notes), F = evaluatorOn(bound, f, evaluations) } = known;
  // several processes go by the clock of one
  const start = E.ranks?.agree(began) ?? began;
  const now = E.ranks?.now ?? (() => performance.now());
  let outside = 0;
  const x = on.point(X);
  return {
    E,
    bound,
    on,
    text,
    f,
    term,
    o,
    F,
    evaluations,
    silent: ignored?.silentAtFirst(bound, F) ?? [],
    comparison: undefined,
    ruler: measurer(E, F, term, on),
    project: (Z) => void on.project(x, Z),
    x,
    X,
    notes,
    history: [],
    certifying: { evaluations: noEvaluations(), seconds: 0, reductions: 0 },
    stepping: { evaluations: 0, reductions: 0 },
    traffic: { ...E.ranks?.traffic },
    flops: E.counters.flops,
    seed: o.seed ?? 1,
    method: undefined,
    tolerance: undefined,
    done: 0,
    saddles: 0,
    elapsed: () => (now() - start) / 1000 - outside,
    leaveOut: (seconds) => void (outside += seconds),
  };
}
