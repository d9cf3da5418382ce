/** Rows that move to another column: the search among labels after the exact solution with fixed ones */

import { countsOf, labelsOfExact, onLabels, type Size } from "./labels.js";

/** X with f and ∇f there, in numbers */
export interface Vertex {
  readonly X: Float64Array;
  readonly f: number;
  readonly G: Float64Array;
}

export interface Exchange {
  readonly at: Vertex;
  readonly moves: number;
  /** every single move that was tried at the end has not lowered f, and this many of the moves there are */
  readonly tried: number;
  readonly all: number;
}

/** A decrease of f below this part of |f| and of the terms of ⟨∇f, X⟩ is none. */
const DECREASE = 1e-9;
/** s_k at least, in the largest |s| */
const LEAST_FALL = 1e-12;
/** An entry that a row gets at least, in 1/√n */
const SMALL = 1e-3;

interface Move {
  readonly row: number;
  readonly to: number;
  /** the entry of the row in its new column, before this is normalised */
  readonly entry: number;
  /** change of f of the linear model */
  readonly change: number;
}

/**
 * Moves rows while f falls, with `evaluate` at most `budget` times. For a linear f = −⟨C, X⟩ the best column k on given rows is C's part
 * there, so with C = −∇f, s_k = ⟨c_k, x_k⟩ a row i that leaves k for j changes f by
 *
 *     s_k − (s_k − C_ik·x_ik)/√(1 − x_ik²)  −  (√(s_j² + max(C_ij, 0)²) − s_j).
 *
 * First all rows that gain by this model move at once, each to its best column; if f does not fall, single rows do, the best of the model
 * first.
 */
export function exchange(start: Vertex, size: Size, evaluate: (X: Float64Array) => Vertex, budget: number): Exchange {
  const { n, p } = size;
  let at = start;
  let [moves, left] = [0, budget];
  for (;;) {
    const labels = labelsOfExact(at.X, size);
    const candidates = movesAt(at, labels, size);
    const limit = at.f - DECREASE * sizeOf(at);
    const gaining = bestOfRows(candidates.filter(({ change }) => change < limit - at.f));
    const together = gaining.length > 1 && left > 0 ? attempt(gaining) : undefined;
    if (together) {
      at = together;
      moves += gaining.length;
      continue;
    }
    let next: Vertex | undefined;
    let tried = 0;
    for (const move of candidates.slice(0, Math.max(n, 2 * p))) {
      if (left <= 0) break;
      tried++;
      next = attempt([move]);
      if (next) break;
    }
    if (!next) return { at, moves, tried, all: candidates.length };
    at = next;
    moves++;

    function attempt(list: readonly Move[]): Vertex | undefined {
      const [X, to] = [at.X.slice(), labels.slice()];
      for (const { row, to: j, entry } of list) {
        X.fill(0, row * p, row * p + p);
        X[row * p + j] = Math.max(entry, SMALL / Math.sqrt(n));
        to[row] = j;
      }
      if (countsOf(to, p).includes(0)) return undefined;
      left--;
      const vertex = evaluate(onLabels(X, to, size));
      return vertex.f < limit ? vertex : undefined;
    }
  }
}

/**
 * The zero rows in which f falls, each with a positive entry in the column of its least derivative, however little f falls: that of a
 * linear f, C_ij/s_j. undefined if there is none.
 */
export function raiseRows(
  { X, G }: Vertex,
  labels: Int32Array,
  size: Size,
  tolerance: number,
): { X: Float64Array; labels: Int32Array } | undefined {
  const { p } = size;
  const s = falls({ X, G }, p);
  const [Y, to] = [X.slice(), labels.slice()];
  let isRaised = false;
  for (const [row, label] of labels.entries()) {
    if (label >= 0) continue;
    let j = 0;
    for (let k = 1; k < p; k++) if (G[row * p + k]! < G[row * p + j]!) j = k;
    if (G[row * p + j]! >= -tolerance) continue;
    Y[row * p + j] = -G[row * p + j]! / s[j]!;
    to[row] = j;
    isRaised = true;
  }
  return isRaised ? { X: onLabels(Y, to, size), labels: to } : undefined;
}

/** s_k = ⟨x_k, −∇f_k⟩, positive */
function falls({ X, G }: Pick<Vertex, "X" | "G">, p: number): Float64Array {
  const s = new Float64Array(p);
  for (const [k, x] of X.entries()) s[k % p]! -= G[k]! * x;
  const least = LEAST_FALL * s.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return s.map((value) => Math.max(value, least, Number.MIN_VALUE));
}

const sizeOf = ({ X, f, G }: Vertex): number => X.reduce((size, x, k) => size + Math.abs(x * G[k]!), Math.abs(f));

/** All single moves, the best of the model first; no column gives its last row */
function movesAt({ X, G }: Vertex, labels: Int32Array, { n, p }: Size): Move[] {
  const counts = countsOf(labels, p);
  const s = falls({ X, G }, p);
  const moves: Move[] = [];
  for (let row = 0; row < n; row++) {
    const k = labels[row]!;
    if (k >= 0 && counts[k]! <= 1) continue;
    const x = k < 0 ? 0 : X[row * p + k]!;
    const loss = k < 0 ? 0 : s[k]! - (s[k]! + G[row * p + k]! * x) / Math.sqrt(Math.max(1 - x * x, 1e-16));
    for (let to = 0; to < p; to++) {
      if (to === k) continue;
      const c = Math.max(-G[row * p + to]!, 0);
      moves.push({ row, to, entry: c / s[to]!, change: loss - (Math.hypot(s[to]!, c) - s[to]!) });
    }
  }
  return moves.sort((a, b) => a.change - b.change);
}

/** The first move of each row */
function bestOfRows(moves: readonly Move[]): Move[] {
  const rows = new Set<number>();
  return moves.filter(({ row }) => !rows.has(row) && rows.add(row));
}
