/** The entry of a gradient that is furthest from differences of f, found by halving where there are many. */

import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { entryOf } from "@expen/linalg/algebras";
import type { Objective } from "../contracts/objective.js";
import { derivativeAlong } from "../objective/derivative-along.js";
import { weights } from "./directions.js";

export interface Suspect {
  /** which matrix, where X is several: "U", "Z.re" */
  part?: string;
  row: number;
  column: number;
  given: number;
  /** by central differences */
  expected: number;
}

/** Draws of signs, for mistakes in several entries that cancel along one of them */
const DRAWS = 3;
/** An entry whose part of the whole is this near to 1 is the only one that is wrong. */
const ALONE = 0.1;

/**
 * ⟨G − ∇f(X), D⟩ is the sum of its parts over two halves of the entries, and the larger part is followed down to one
 * entry: about 8·log₂(np) values of f for each draw of D. `error`: what `expected` may be off by; `noise`: known jitter
 * of f.
 */
export function worstEntryByHalves(
  E: Engine,
  f: Objective,
  X: Tall,
  G: Tall,
  seed: number,
  noise = 0,
): Suspect & { error: number } {
  const { n, p } = f;
  const [D, Y] = [E.tall(n, p), E.tall(n, p)];
  let worst: (Suspect & { error: number }) | undefined;
  for (let draw = 0; draw < DRAWS; draw++) {
    const { entry, share } = descend(seed + draw);
    const suspect = at(entry);
    if (!worst || off(suspect) > off(worst)) worst = suspect;
    if (Math.abs(share - 1) < ALONE) break;
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

  function descend(seed: number): { entry: number; share: number } {
    let [first, end] = [0, E.read(G).length];
    const all = gap(seed, first, end);
    let whole = all;
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      const left = gap(seed, first, middle);
      const right = whole - left;
      // what is not finite is followed too
      if (Math.abs(left) >= Math.abs(right) || Number.isNaN(left)) [end, whole] = [middle, left];
      else [first, whole] = [middle, right];
    }
    return { entry: first, share: whole / all };
  }

  function at(entry: number): Suspect & { error: number } {
    const unit = 1 / Math.sqrt(n);
    let place = 0;
    E.write(D, () => (place++ === entry ? 1 : 0));
    const given = E.dot(G, D);
    E.combine(D, unit, D, 0, D);
    const { value, error } = derivativeAlong(E, f, X, D, Y, noise);
    return { ...whereIs(G, entry), given, expected: value / unit, error: error / unit };
  }
}

/** The place of an entry in words of the user: the part is left out where there is one matrix */
export function whereIs(M: Tall, entry: number): Pick<Suspect, "part" | "row" | "column"> {
  const { part, ...at } = entryOf(M, entry);
  return part ? { part, ...at } : at;
}

/** The sentence on it */
export const blame = ({ part, row, column, given, expected }: Suspect): string =>
  `furthest off is entry (${row}, ${column})${part ? ` of ${part}` : ""}, ` +
  `${digits(given, 6)} where differences of f give ${digits(expected, 6)}`;

/** How far off, 0 where differences of f say nothing */
const off = ({ given, expected }: Suspect): number => Math.abs(given - expected) || 0;
