import { type Random, random } from "@expen/linalg";
import { type Assigned, type Swapped, swapRows } from "./swaps.js";

/** Rows that exchange their columns in a circle before the swaps begin again; two would be swapped back. */
const CIRCLE = 4;

export interface Kicks {
  readonly kicks: number;
  /** evaluations of the swaps after each kick */
  readonly budget: number;
  readonly seed: number;
  isOver(): boolean;
}

/**
 * Four random rows exchange their columns, swaps follow while f falls, and the end is taken if f is no larger [Lourenço, Martin and
 * Stützle, Iterated local search, 2003]: at the same price better than more starts. undefined where f does not fall.
 */
export function kick(
  best: { readonly labels: Int32Array; readonly f: number },
  evaluate: (labels: Int32Array) => Assigned,
  { kicks, budget, seed, isOver }: Kicks,
): Swapped | undefined {
  if (best.labels.length <= CIRCLE) return undefined;
  const r = random(seed, "kicks");
  let at = best;
  let end: Swapped | undefined;
  for (let k = 0; k < kicks && !isOver(); k++) {
    const swaps = swapRows(evaluate(inCircle(at.labels, r)), evaluate, budget, isOver);
    if (!(swaps.at.f <= at.f)) continue;
    end = swaps;
    at = swaps.at;
  }
  return at.f < best.f ? end : undefined;
}

/** Some rows, whose columns go round */
function inCircle(labels: Int32Array, r: Random): Int32Array {
  const rows = new Set<number>();
  while (rows.size < CIRCLE) rows.add(r.integer(labels.length));
  const [list, to] = [[...rows], labels.slice()];
  for (const [k, row] of list.entries()) to[row] = labels[list[(k + 1) % CIRCLE]!]!;
  return to;
}
