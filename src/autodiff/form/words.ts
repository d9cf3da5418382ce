/**
 * ∇f as a polynomial in X: a sum of words c·tr(…)·tr(…)·F₁F₂…, in which every factor is X, Xᵀ, a constant, or what depends on X in
 * another way and stays as it is. Found on the graph by the rules of algebra alone.
 */
import { EPS } from "../../arrays/scale.js";
import { reachable } from "../differentiate.js";
import { isScalar, type Node } from "../graph.js";
import { inputOp, isLiteral, literal, numberOf } from "../leaves.js";
import { diag, diagOp } from "../operations/diagonal-matrix.js";
import { hadamardOp } from "../operations/elementwise.js";
import { coefficientsOf, full, fullOp, linOp, scaleOp, transposeOp } from "../operations/linear.js";
import {
  chainOp,
  colsOf,
  type Factor,
  factors,
  factorsOf,
  nameOfAll,
  rotated,
  rowsOf,
  traceOf,
  traceOp,
  transposed,
  turned,
} from "../operations/product.js";
import {
  columnDotsOp,
  columnSumsOp,
  isSquare,
  repeatColumnsOp,
  repeatRowsOp,
  rowDotsOp,
  rowSumsOp,
  sumOp,
} from "../operations/reduce.js";
import type { Constants } from "./constants.js";
import { splitter } from "./rank-one.js";

/** c·tr(…)·tr(…)·F₁F₂…F_k; no factors: the identity */
export interface Word {
  readonly c: number;
  /** the sum of |c| over the words that were added up to this one */
  readonly size: number;
  readonly traces: readonly (readonly Factor[])[];
  readonly factors: readonly Factor[];
}

/** Equal up to the rounding of coefficients that were multiplied out */
export const ROUNDING = 16 * EPS;
/** More factors than anybody writes: powers of long sums */
const MOST = 1e5;

class TooMany extends Error {}

/** The words that G is the sum of; nothing where there are too many. */
export function wordsOf(G: Node, known: Constants): Word[] | undefined {
  const split = splitter(known);
  const memo = new Map<Node, Word[]>();
  let letters = 0;
  try {
    // in this order no recursion goes deep
    for (const n of reachable([G])) if (n.level > 0) matrix([n, false]);
    return matrix([G, false]).filter(({ c, size }) => size === 0 || Math.abs(c) > ROUNDING * size);
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }

  function matrix([n, turned]: Factor): Word[] {
    let words = memo.get(n);
    if (!words) memo.set(n, (words = merged(isScalar(n) ? number(n) : expanded(n))));
    return turned ? words.map((word) => ({ ...word, factors: transposed(word.factors) })) : words;
  }

  function expanded(n: Node): Word[] {
    const [A, B] = n.args as [Node, Node];
    if (n.op === linOp) return n.args.flatMap((A, i) => scaled(coefficientsOf(n)[i]!, matrix([A, false])));
    if (n.op === transposeOp) return matrix([A, true]);
    if (n.op === scaleOp) return product([matrix([A, false]), matrix([B, false])]);
    if (n.op === chainOp) return product(factorsOf(n).map(matrix));
    if (n.op === fullOp && !(n.cols === 1 && isLiteral(A) && numberOf(A) === 1)) {
      return product([matrix([A, false]), ones(n.rows, false), ones(n.cols, true)]);
    }
    if (n.op === diagOp && A.op === fullOp) return matrix([A.args[0]!, false]);
    const sides = sumsAndCopies(n);
    if (sides) return product(sides.map(matrix));
    if (n.level > 0) {
      if (n.op === hadamardOp) return entrywise(A, B) ?? atom(n);
      if (n.op === rowDotsOp) return rowsAdded(entrywise(A, B)) ?? atom(n);
      if (n.op === columnDotsOp) return columnsAdded(entrywise(A, B)) ?? atom(n);
    }
    return atom(n);

    function rowsAdded(words: Word[] | undefined): Word[] | undefined {
      return words && product([words, ones(A.cols, false)]);
    }
    function columnsAdded(words: Word[] | undefined): Word[] | undefined {
      return words && product([ones(A.rows, true), words]);
    }
  }

  /** A 1×1 node: words without factors */
  function number(n: Node): Word[] {
    if (n.level === 0) return [word(known.number(n), [])];
    const [A, B] = n.args as [Node, Node];
    if (n.op === linOp) return n.args.flatMap((A, i) => scaled(coefficientsOf(n)[i]!, matrix([A, false])));
    if (n.op === hadamardOp) return product([matrix([A, false]), matrix([B, false])]);
    if (isSquare(n)) return product([matrix([A, false]), matrix([A, false])]);
    if (n.op === sumOp) return product([ones(A.rows, true), matrix([A, false]), ones(A.cols, false)]);
    if (n.op === traceOp) return product(factorsOf(n).map(matrix)).map((word) => closed(word, n));
    return [tidy(word(1, factors(n)))];
  }

  /** A∘B for a constant A or B that is a sum of products uvᵀ: (uvᵀ)∘B = Diag(u)·B·Diag(v) */
  function entrywise(A: Node, B: Node): Word[] | undefined {
    if (A.level > 0) return B.level > 0 ? undefined : entrywise(B, A);
    const parts = matrix([A, false]).map(({ c, factors }) => ({ c, sides: split(factors, A.rows) }));
    if (parts.some(({ sides }) => !sides)) {
      const sides = split([[A, false]], A.rows);
      return sides && scaledBy(1, sides);
    }
    return parts.flatMap(({ c, sides }) => scaledBy(c, sides!));

    function scaledBy(c: number, [u, v]: readonly [Node, Node]): Word[] {
      return scaled(c, product([matrix([diag(u), false]), matrix([B, false]), matrix([diag(v), false])]));
    }
  }

  function ones(size: number, turned: boolean): Word[] {
    return matrix([full(literal(1), size, 1), turned]);
  }

  /** Every word of the first sum times every word of the second, … */
  function product(sums: readonly Word[][]): Word[] {
    return sums.reduce((left, right) => {
      if (letters + left.length * right.length > MOST) throw new TooMany();
      return merged(left.flatMap((u) => right.map((v) => tidy(times(u, v)))));
    });
  }

  /** Equal words as one */
  function merged(words: readonly Word[]): Word[] {
    const byName = new Map<string, Word>();
    for (const word of words) {
      if ((letters += 1 + word.factors.length) > MOST) throw new TooMany();
      const name = `${word.traces.map(nameOfAll).sort()} of ${nameOfAll(word.factors)}`;
      const { c, size } = byName.get(name) ?? { c: 0, size: 0 };
      byName.set(name, { ...word, c: word.c + c, size: word.size + size });
    }
    return [...byName.values()];
  }

  /** Where a product narrows to 1 twice, the part between is a number. */
  function tidy(given: Word): Word {
    const { factors } = given;
    const narrow = factors.flatMap((F, i) => (rowsOf(F) === 1 ? [i] : []));
    if (factors.length > 0 && colsOf(factors.at(-1)!) === 1) narrow.push(factors.length);
    if (narrow.length < 2) return given;
    const cycles = narrow.slice(1).map((to, i) => factors.slice(narrow[i]!, to));
    const rest = [...factors.slice(0, narrow[0]!), ...factors.slice(narrow.at(-1)!)];
    return cycles.reduce(beside, { ...given, factors: rest });
  }

  /** The trace of a word */
  function closed(given: Word, { args }: Node): Word {
    const { factors } = given;
    if (factors.length === 0) {
      const [size] = args.map(({ rows }) => rows) as [number];
      return { ...given, c: given.c * size, size: given.size * size };
    }
    const at = factors.findIndex((F) => rowsOf(F) === 1);
    if (at < 0) return beside({ ...given, factors: [] }, factors);
    return tidy({ ...given, factors: rotated(factors, at) });
  }

  /** A word times the trace of a product: of all its rotations and their transposes the first by name, a number if it is constant */
  function beside(given: Word, cycle: readonly Factor[]): Word {
    if (cycle.every(([F]) => F.level === 0)) {
      const value = known.number(traceOf(cycle));
      return { ...given, c: given.c * value, size: given.size * Math.abs(value) };
    }
    const same = cycle.flatMap((_, i) => [rotated(cycle, i), transposed(rotated(cycle, i))]);
    const first = same.reduce((a, b) => (nameOfAll(b) < nameOfAll(a) ? b : a));
    return { ...given, traces: [...given.traces, first] };
  }
}

const word = (c: number, factors: readonly Factor[]): Word => ({ c, size: Math.abs(c), traces: [], factors });
const atom = (n: Node): Word[] => [word(1, factors(n))];

/** Sums of rows or columns, and copies of one: products with a vector of ones */
function sumsAndCopies(n: Node): Factor[] | undefined {
  const A = n.args[0]!;
  const one = (size: number): Node => full(literal(1), size, 1);
  if (n.op === rowSumsOp) return factors(A, one(A.cols));
  if (n.op === columnSumsOp) return factors(turned(one(A.rows)), A);
  if (n.op === repeatColumnsOp) return factors(A, turned(one(n.cols)));
  return n.op === repeatRowsOp ? factors(one(n.rows), A) : undefined;
}

const scaled = (c: number, words: readonly Word[]): Word[] =>
  words.map((word) => ({ ...word, c: c * word.c, size: Math.abs(c) * word.size }));

const times = (u: Word, v: Word): Word => ({
  c: u.c * v.c,
  size: u.size * v.size,
  traces: [...u.traces, ...v.traces],
  factors: [...u.factors, ...v.factors],
});

/** How often X stands in it; infinite where it stands in something that is no product */
export function degree({ traces, factors }: Word): number {
  const all = [...traces.flat(), ...factors];
  return all.reduce((sum, [{ op, level }]) => sum + (op === inputOp ? 1 : level > 0 ? Number.POSITIVE_INFINITY : 0), 0);
}
