/** The beginning of a run */

import { measurer } from "../certify/measure.js";
import type { Place } from "../contracts/manifold.js";
import type { Objective, Term } from "../contracts/objective.js";
import { noEvaluations } from "../objective/counted.js";
import type { StiefelOptions } from "./options.js";
import { quotientIfInvariant } from "./quotient.js";
import type { Run, Spent } from "./run.js";
import { evaluatorOn } from "./run-evaluator.js";
import { startOf } from "./start.js";

export const nothingSpent = (): Spent => ({ began: performance.now(), evaluations: noEvaluations() });

export function newRun(
  term: Term | undefined,
  { on: { text }, bound }: Place,
  f: Objective,
  o: StiefelOptions,
  { began, evaluations, start: given, evaluator: F = evaluatorOn(bound, f, evaluations) }: Spent,
): Run {
  const { E } = bound;
  const notes: string[] = [];
  // several processes go by the clock of one
  const start = E.ranks?.agree(began) ?? began;
  const now = E.ranks?.now ?? (() => performance.now());
  let outside = 0;
  const traffic = { ...E.ranks?.traffic };
  const X = given?.X ?? startOf(bound, o, notes);
  notes.push(...(given?.notes ?? []));
  const { quotient } = bound.on.traits;
  const on = quotient ? quotientIfInvariant(E, F, bound.on, quotient, X, notes) : bound.on;
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
    ruler: measurer(E, F, term, on),
    project: (Z) => void on.project(x, Z),
    x,
    X,
    notes,
    history: [],
    certifying: { evaluations: noEvaluations(), seconds: 0, reductions: 0 },
    stepping: { evaluations: 0, reductions: 0 },
    traffic,
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
