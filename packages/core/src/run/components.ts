/** The other components of a manifold: a run stays in that of its start, and the lowest point may lie in another one. */

import { digits } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { State } from "../contracts/method.js";
import { type Reflection, WHOLE } from "../manifolds/reflections.js";
import { descend } from "./descend.js";
import type { Imports } from "./imports.js";
import type { Descent, Run } from "./run.js";

/** Descents from reflected answers at most, each about as long as the run: enough for a product of 32 square matrices */
const MOST = 32;
/** Relative difference up to which two values of f are equal: their roundoff */
const ROUNDING = 2 ** -46;

/**
 * The lowest of the first descent and of descents from its reflected end, one reflection at a time; the end of a lower one is reflected in
 * turn, until no single reflection leads lower. A reflection that does not change f at the first end is left out: f is taken to be the same
 * in the components that it exchanges. No search if the first end is proved to be global, did not converge, or only stationarity is to be
 * certified.
 */
export function* searchComponents(run: Run, imports: Imports, first: Descent): Generator<State, Descent, void> {
  const { E, on, o, notes } = run;
  const all = on.traits.reflections ?? [];
  if (all.length === 0 || first.outcome.certificate.level === "global") return first;
  const parts = `feasible points fall into ${powerOf2(all.length)} parts by the sign of ${listOf(all)}`;
  if (o.certificate === "stationary" || !first.end.reason.converged) {
    notes.push(`${parts}; only that of the answer was searched: start with a column negated to search another one`);
    return first;
  }
  const candidates = all.slice(0, MOST);
  const changing = changingReflections(run, candidates, first);
  const { n, p } = on.shape;
  const [X, S] = [E.tall(n, p), E.small(p, p)];
  let best = keep(first);
  let [searched, inRow] = [0, 0];
  let unfinished: Descent | undefined;
  for (let i = 0; inRow < changing.length && searched < MOST && !unfinished; i++) {
    changing[i % changing.length]!.reflect(run.X, X, S);
    const next = yield* descend(run, imports);
    searched++;
    inRow++;
    if (!next.end.reason.converged) unfinished = next;
    else if (isLower(run, next, best)) {
      best = keep(next);
      // this reflection leads back
      inRow = 1;
    }
  }
  E.copy(run.X, X);
  const isWhole = candidates.length === all.length && inRow >= changing.length;
  notes.push(`${parts}; ${summary(candidates, changing, { first, best, searched, isWhole, unfinished })}`);
  return best;

  function keep(descent: Descent): Descent {
    E.copy(X, run.X);
    E.copy(S, run.ruler.S);
    return descent;
  }
}

/** The reflections that change f at the end X of the first descent; all of them where points are isolated */
function changingReflections(run: Run, all: readonly Reflection[], first: Descent): readonly Reflection[] {
  const { E, on, F, X, term } = run;
  if (hasIsolatedPoints(on)) return all;
  const Y = E.tall(F.n, F.p);
  const before = term ? F.f(X) : first.outcome.measures.fval;
  return all.filter(({ reflect }) => {
    reflect(Y, X);
    const after = F.f(Y);
    return !(Math.abs(after - before) <= ROUNDING * Math.max(Math.abs(before), Math.abs(after)));
  });
}

const hasIsolatedPoints = ({ dimension, traits: { parts } }: Constraint): boolean =>
  dimension === 0 || parts?.list.some((part) => hasIsolatedPoints(part.on)) === true;

/** By more than 2·size·‖R‖, the distance in f of a first-order point from its minimum, and roundoff */
function isLower({ on }: Run, next: Descent, best: Descent): boolean {
  const [a, b] = [next.outcome.measures, best.outcome.measures];
  return a.fval < b.fval - 2 * on.size * b.stationarity - ROUNDING * Math.abs(b.fval);
}

interface Search {
  readonly first: Descent;
  readonly best: Descent;
  readonly searched: number;
  /** all single reflections of the best were searched, or change nothing */
  readonly isWhole: boolean;
  readonly unfinished: Descent | undefined;
}

function summary(
  candidates: readonly Reflection[],
  changing: readonly Reflection[],
  { first, best, searched, isWhole, unfinished }: Search,
): string {
  const value = ({ outcome }: Descent): string => digits(outcome.measures.fval, 9);
  const same = candidates.filter((reflection) => !changing.includes(reflection));
  const sentences: string[] = [];
  if (same.length > 0) sentences.push(`f stays the same where a negated column changes that of ${listOf(same)}`);
  if (searched > 0) {
    const many = searched === 1 ? "another one was" : `${searched} others were`;
    const finding = best === first ? "no lower f was found" : `f fell from ${value(first)} to ${value(best)}`;
    sentences.push(`${many} searched from the answer reflected, and ${finding}`);
  }
  if (unfinished)
    sentences.push(`the last search was not finished at f = ${value(unfinished)}: ${unfinished.end.reason.text}`);
  else if (!isWhole) sentences.push("not all single reflections of the answer were searched");
  else if (changing.length > 1) sentences.push("reflections of several of them at once were not searched");
  return sentences.join("; ");
}

const listOf = (all: readonly Reflection[]): string => {
  const names = all.slice(0, 3).map(({ number }) => number(WHOLE));
  if (all.length > 3) names.push(`${all.length - 3} more`);
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};

const powerOf2 = (k: number): string => (k < 20 ? String(2 ** k) : `2^${k}`);
