import type { Random } from "@expen/linalg";
import type { QuadraticModel } from "./quadratic.js";
import { type Assigned, sizeOf } from "./swaps.js";

/** Exchanges for each row of X */
const STEPS = 100;
/** Exchanges for which a row does not return to a column, in n: random between these */
const [SHORTEST, LONGEST] = [0.9, 1.1];
/** A decrease below this part of the size of f is roundoff. */
const DECREASE = 1e-12;

/**
 * The best exchange of two rows again and again, down or up, where rows do not return to columns that they have left a short while ago
 * unless f falls below all before [Taillard, Robust taboo search for the quadratic assignment problem, 1991]. Exchanges are those of the
 * model, so f is not evaluated. No exchange lowers f at the end.
 */
export function tabuSearch(model: QuadraticModel, labels: Int32Array, r: Random): Int32Array {
  const n = labels.length;
  const at = model.at(labels);
  const roundoff = DECREASE * sizeOf(at);
  const best = { labels: labels.slice(), f: at.f };
  /** the step from which row i may return to column j */
  const free = new Float64Array(n * n);
  for (let step = 0; step < STEPS * n; step++) {
    const next = leastChange(
      model,
      at,
      (i, k, change) =>
        at.f + change < best.f - roundoff ||
        free[i * n + at.labels[k]!]! <= step ||
        free[k * n + at.labels[i]!]! <= step,
    );
    if (!next) break;
    const { i, k } = next;
    for (const row of [i, k])
      free[row * n + at.labels[row]!] = step + n * (SHORTEST + (LONGEST - SHORTEST) * r.uniform());
    model.exchange(at, i, k);
    if (!(at.f < best.f - roundoff)) continue;
    best.labels.set(at.labels);
    best.f = at.f;
  }
  return descend(model, best.labels);
}

/** The permutation after best exchanges as long as f falls */
export function descend(model: QuadraticModel, labels: Int32Array): Int32Array {
  const at = model.at(labels);
  const roundoff = DECREASE * sizeOf(at);
  for (;;) {
    const next = leastChange(model, at, () => true);
    if (!next || !(next.change < -roundoff)) return at.labels;
    model.exchange(at, next.i, next.k);
  }
}

interface Exchange {
  readonly i: number;
  readonly k: number;
  readonly change: number;
}

function leastChange(
  model: QuadraticModel,
  at: Assigned,
  isAllowed: (i: number, k: number, change: number) => boolean,
): Exchange | undefined {
  const n = at.labels.length;
  let [row, other, least] = [-1, -1, Number.POSITIVE_INFINITY];
  for (let i = 1; i < n; i++) {
    for (let k = 0; k < i; k++) {
      const change = model.change(at, i, k);
      if (change < least && isAllowed(i, k, change)) [row, other, least] = [i, k, change];
    }
  }
  return row < 0 ? undefined : { i: row, k: other, change: least };
}
