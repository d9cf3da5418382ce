/** The entry of a gradient with the largest error against differences of f, found by bisection. */

import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { entryOf } from "@expen/linalg/algebras";
import type { Objective } from "../contracts/objective.js";
import { derivativeAlong } from "../objective/derivative-along.js";
import { weights } from "./directions.js";

export interface Suspect {
  /** the matrix, of several: "U", "Z.re" */
  part?: string;
  row: number;
  column: number;
  given: number;
  /** by central differences */
  expected: number;
}

/** Draws of random signs: mistakes in several entries may cancel for one of them */
const DRAWS = 3;
/** Distance from 1 of an entry's part of the whole error, below which it is the only wrong one */
const SINGLE = 0.1;

/**
 * ⟨G − ∇f(X), D⟩ is the sum of its parts over two halves of the entries; bisection follows the larger part down to one entry, with about
 * 8·log₂(np) values of f for each draw of D. `error`: bound of the error of `expected`; `position`: of the entry among the numbers of G;
 * `noise`: known noise of f.
 */
export function worstEntryByBisection(
  E: Engine,
  f: Objective,
  X: Tall,
  G: Tall,
  seed: number,
  noise = 0,
): Suspect & { error: number; position: number } {
  const { n, p } = f;
  const [D, Y] = [E.tall(n, p), E.tall(n, p)];
  let worst: (Suspect & { error: number; position: number }) | undefined;
  for (let draw = 0; draw < DRAWS; draw++) {
    const { entry, share } = bisect(seed + draw);
    const suspect = at(entry);
    if (!worst || errorOf(suspect) > errorOf(worst)) worst = suspect;
    if (Math.abs(share - 1) < SINGLE) break;
  }
  return worst!;

  /** ⟨G − ∇f(X), D⟩ with D = the weights of this seed on the entries from first to end, 0 elsewhere */
  function gap(seed: number, first: number, end: number): number {
    const next = weights(n, random(seed, "halves"));
    let entry = 0;
    E.write(D, () => {
      const [weight, inside] = [next(), entry >= first && entry < end];
      entry++;
      return inside ? weight : 0;
    });
    return E.dot(G, D) - derivativeAlong(E, f, X, D, Y, noise).value;
  }

  function bisect(seed: number): { entry: number; share: number } {
    let [first, end] = [0, E.read(G).length];
    const all = gap(seed, first, end);
    let whole = all;
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      const left = gap(seed, first, middle);
      const right = whole - left;
      // NaN is followed too
      if (Math.abs(left) >= Math.abs(right) || Number.isNaN(left)) [end, whole] = [middle, left];
      else [first, whole] = [middle, right];
    }
    return { entry: first, share: whole / all };
  }

  function at(entry: number): Suspect & { error: number; position: number } {
    const unit = 1 / Math.sqrt(n);
    let position = 0;
    E.write(D, () => (position++ === entry ? 1 : 0));
    const declared = E.dot(G, D);
    E.combine(D, unit, D, 0, D);
    const { value, error } = derivativeAlong(E, f, X, D, Y, noise);
    return { ...whereIs(G, entry), given: declared, expected: value / unit, error: error / unit, position: entry };
  }
}

/** Row and column of an entry, with the part if there are several matrices */
export function whereIs(M: Tall, entry: number): Pick<Suspect, "part" | "row" | "column"> {
  const { part, ...at } = entryOf(M, entry);
  return part ? { part, ...at } : at;
}

export const describeEntry = ({ part, row, column, given, expected }: Suspect): string =>
  `furthest off is entry (${row}, ${column})${part ? ` of ${part}` : ""}, ` +
  `${digits(given, 6)} where differences of f give ${digits(expected, 6)}`;

/** The error of the entry; 0 where differences of f are not finite */
const errorOf = ({ given, expected }: Suspect): number => Math.abs(given - expected) || 0;
