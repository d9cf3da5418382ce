/** Words and their sums: products, traces, cancellation */
import { EPS } from "@expen/linalg/arrays";
import { inputOp } from "../leaves.js";
import { colsOf, type Factor, nameOfAll, rotated, rowsOf, traceOf, transposed } from "../operations/product.js";
import type { Constants } from "./constants.js";

/** c·tr(…)·tr(…)·F₁F₂…F_k; no factors: the identity */
export interface Word {
  readonly c: number;
  /** the sum of |c| over the words that were added up to this one */
  readonly size: number;
  readonly traces: readonly (readonly Factor[])[];
  readonly factors: readonly Factor[];
}

/** Size of a coefficient, relative to the terms that cancel in it, up to which it is roundoff */
const ROUNDING = 16 * EPS;
/** Words of a sum at most; more arise from powers of long sums. */
const MOST = 1e5;

export class TooMany extends Error {}

export const word = (c: number, factors: readonly Factor[]): Word => ({ c, size: Math.abs(c), traces: [], factors });

export const scaled = (c: number, words: readonly Word[]): Word[] =>
  words.map((word) => ({ ...word, c: c * word.c, size: Math.abs(c) * word.size }));

const times = (u: Word, v: Word): Word => ({
  c: u.c * v.c,
  size: u.size * v.size,
  traces: [...u.traces, ...v.traces],
  factors: [...u.factors, ...v.factors],
});

/** Whether the coefficient exceeds roundoff. One that is 0 without cancellation, such as a parameter, counts as nonzero. */
export const isNonzero = ({ c, size }: Word): boolean => size === 0 || Math.abs(c) > ROUNDING * size;

export const isConstant = (factors: readonly Factor[]): boolean => factors.every(([F]) => F.level === 0);

/** The number of factors X; infinite if X occurs in a factor that is no product */
export function degree({ traces, factors }: Word): number {
  const all = [...traces.flat(), ...factors];
  return all.reduce((sum, [{ op, level }]) => sum + (op === inputOp ? 1 : level > 0 ? Number.POSITIVE_INFINITY : 0), 0);
}

interface Arithmetic {
  /** The product of sums, multiplied out */
  product(sums: readonly Word[][]): Word[];
  /** Merges equal words */
  merged(words: readonly Word[]): Word[];
  /** Extracts 1×1 parts of a product as numbers. */
  tidy(one: Word): Word;
  /** The trace of a word with `rows` rows */
  closed(one: Word, rows: number): Word;
}

/** `opened`: rewrites the product of two words, and ends with `tidy` */
export function arithmetic(known: Constants, opened: (one: Word) => Word[]): Arithmetic {
  let letters = 0;
  return { product, merged, tidy, closed };

  function product(sums: readonly Word[][]): Word[] {
    return sums.reduce((left, right) => {
      if (letters + left.length * right.length > MOST) throw new TooMany();
      return merged(left.flatMap((u) => right.flatMap((v) => opened(times(u, v)))));
    });
  }

  function merged(words: readonly Word[]): Word[] {
    const byName = new Map<string, Word>();
    for (const word of words) {
      letters += 1 + word.factors.length;
      if (letters > MOST) throw new TooMany();
      const name = `${word.traces.map(nameOfAll).sort()} of ${nameOfAll(word.factors)}`;
      const { c, size } = byName.get(name) ?? { c: 0, size: 0 };
      byName.set(name, { ...word, c: word.c + c, size: word.size + size });
    }
    return [...byName.values()];
  }

  function tidy(one: Word): Word {
    const { factors } = one;
    const narrow = factors.flatMap((F, i) => (rowsOf(F) === 1 ? [i] : []));
    if (factors.length > 0 && colsOf(factors.at(-1)!) === 1) narrow.push(factors.length);
    if (narrow.length < 2) return one;
    const cycles = narrow.slice(1).map((to, i) => factors.slice(narrow[i]!, to));
    const rest = [...factors.slice(0, narrow[0]!), ...factors.slice(narrow.at(-1)!)];
    return cycles.reduce(beside, { ...one, factors: rest });
  }

  function closed(one: Word, rows: number): Word {
    const { factors } = one;
    if (factors.length === 0) return scaled(rows, [one])[0]!;
    const at = factors.findIndex((F) => rowsOf(F) === 1);
    if (at < 0) return beside({ ...one, factors: [] }, factors);
    return tidy({ ...one, factors: rotated(factors, at) });
  }

  /** A word times the trace of a product, canonical among its rotations and their transposes; a number if it is constant */
  function beside(one: Word, cycle: readonly Factor[]): Word {
    if (isConstant(cycle)) return scaled(known.number(traceOf(cycle)), [one])[0]!;
    const same = cycle.flatMap((_, i) => [rotated(cycle, i), transposed(rotated(cycle, i))]);
    const first = same.reduce((a, b) => (nameOfAll(b) < nameOfAll(a) ? b : a));
    return { ...one, traces: [...one.traces, first] };
  }
}
