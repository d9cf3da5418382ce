/** A tridiagonal T over ranks: products with the rows next door, and the partition method for T⁻¹. */

import type { Matrix, Operator, Small, Tall, Tridiagonal } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { type Diagonals, solveInPlace, transposeDiagonals } from "@expen/linalg/arrays";
import { endsOf } from "./ends.js";
import { checked, type Meeting } from "./meeting.js";

/** The block of T on the rows of this rank, and what couples it to the rows next door */
interface Block {
  readonly operator: Operator;
  /** T[first, first − 1] and T[last, last + 1]; 0 at the ends of T and where this rank has no rows */
  readonly before: number;
  readonly after: number;
}

export function tridiagonalOverRanks(m: Meeting, T: Tridiagonal): Operator {
  const n = T.main.rows;
  // an error must occur on every rank: a rank that went on alone would wait for the others
  for (const [name, d] of Object.entries({ lower: T.lower, upper: T.upper })) {
    if (d.data.length !== n)
      throw new EngineError(`operator: ${name} has ${d.data.length} numbers but main has ${n}; they must be as many.`);
  }
  const plain: Diagonals = { lower: T.lower.data.slice(), main: T.main.data.slice(), upper: T.upper.data.slice() };
  const [first, count] = [m.firstRow(n, m.rank), m.count(n, m.rank)];
  const end = first + count;
  const hasBefore = count > 0 && first > 0;
  const hasAfter = count > 0 && end < n;
  const ends = endsOf(m.inner, count);
  // of a matrix with two rows a rank, its first and its last: those next door to this one's
  const next = [...(hasBefore ? [2 * m.ownerOf(n, first - 1) + 1] : []), ...(hasAfter ? [2 * m.ownerOf(n, end)] : [])];
  const neighbours = m.exchange(2 * m.size, next);
  let added = new Float64Array(0);

  function blockOf({ lower, main, upper }: Diagonals): Block {
    const part = (d: Float64Array): Matrix => ({ rows: count, cols: 1, data: d.slice(first, end) });
    return {
      operator: m.inner.operator({ lower: part(lower), main: part(main), upper: part(upper) }),
      before: hasBefore ? lower[first]! : 0,
      after: hasAfter ? upper[end - 1]! : 0,
    };
  }

  /** y's first and last row += what the rows of x next door contribute */
  function addNeighbours(y: Tall, x: Tall, { before, after }: Block, a: number): void {
    const p = x.cols;
    const rows = neighbours(ends.read(x), p);
    if (added.length !== 2 * p) added = new Float64Array(2 * p);
    if (hasBefore) for (let c = 0; c < p; c++) added[c] = a * before * rows[c]!;
    const from = hasBefore ? p : 0;
    if (hasAfter) for (let c = 0; c < p; c++) added[p + c] = a * after * rows[from + c]!;
    ends.add(y, added);
  }

  const straight = blockOf(plain);
  let turned: Block | undefined;
  let solver: ((y: Tall, x: Tall) => void) | undefined;
  const product =
    (op: string, block: () => Block): Operator["apply"] =>
    (Y, X, a = 1, b = 0) => {
      const [dest, source] = checked(m, op, Y, X, n, n);
      const [y, x] = [m.writes(dest), m.reads(source)];
      block().operator.apply(y, x, a, b);
      if (a !== 0) addNeighbours(y, x, block(), a);
    };
  return {
    rows: n,
    cols: n,
    flops: 5 * n,
    apply: product("apply", () => straight),
    applyT: product("applyT", () => (turned ??= blockOf(transposeDiagonals(plain)))),
    solve(Y, X) {
      const [dest, source] = checked(m, "solve", Y, X, n, n);
      solver ??= partitionSolver(m, n, straight);
      solver(m.writes(dest), m.reads(source));
    },
    main: m.spread(n, 1, straight.operator.main!),
  };
}

/**
 * The partition method (Wang, ACM TOMS 7, 1981; SPIKE: Polizzi and Sameh, Parallel Computing 32, 2006). With T_r the block of rank r,
 * v = T_r⁻¹e₁ and w = T_r⁻¹e_m, its part of x = T⁻¹b is
 *
 *     x_r = T_r⁻¹b_r − v·t_before·x_before − w·t_after·x_after,
 *
 * x_before the last entry of the rank before, x_after the first of the one after. The first and last rows of these equations are
 * a system of two numbers a rank. Every rank has two rows of its inverse, so that a solve is one gather of 2·ranks·cols numbers, for
 * T that are positive definite or diagonally dominant, as for one rank.
 */
function partitionSolver(m: Meeting, n: number, { operator, before, after }: Block): (y: Tall, x: Tall) => void {
  const { inner, rank, size } = m;
  const count = m.count(n, rank);
  const spikes = inner.tall(count, 2);
  // [first of v, last of v, first of w, last of w] times their couplings, and whether there are rows at all
  const corner = new Float64Array(5);
  if (count > 0) {
    const numbers = new Float64Array(2 * count);
    numbers[0] = before;
    numbers[2 * count - 1] = after;
    const right = inner.tall(count, 2, numbers);
    operator.solve!(spikes, right);
    const s = inner.read(spikes);
    corner.set([s[0]!, s[2 * count - 2]!, s[1]!, s[2 * count - 1]!, 1]);
  }
  const corners = m.gathered(corner, size, 5);
  const parts = Array.from({ length: size }, (_, r) => r).filter((r) => corners[5 * r + 4] === 1);
  const place = parts.indexOf(rank);
  const weights = count > 0 ? neighbourRows(corners, parts, place) : new Float64Array(0);
  const ends = endsOf(inner, count);
  let factor: Small | undefined;
  return (y, x) => {
    const p = x.cols;
    if (count > 0) operator.solve!(y, x);
    const all = m.gathered(ends.read(y), size, 2 * p);
    if (count === 0) return;
    // rows 0 and 1: x_before and x_after
    const values = new Float64Array(2 * p);
    for (let side = 0; side < 2; side++) {
      for (let k = 0; k < parts.length; k++) {
        for (let e = 0; e < 2; e++) {
          const weight = weights[(2 * k + e) * 2 + side]!;
          const at = (2 * parts[k]! + e) * p;
          if (weight !== 0) for (let c = 0; c < p; c++) values[side * p + c]! += weight * all[at + c]!;
        }
      }
    }
    if (factor?.cols !== p) factor = inner.small(2, p);
    inner.write(factor, values);
    inner.mul(y, spikes, factor, -1, 1);
  };
}

/**
 * The reduced system: unknowns (first, last) of each part with rows, and column `side` of the answer has the weights with which
 * x_before (0) or x_after (1) of part `place` follows from the first and last entries of all T_r⁻¹b_r.
 */
function neighbourRows(corners: Float64Array, parts: readonly number[], place: number): Float64Array {
  const k = 2 * parts.length;
  // transposed, because rows of the inverse are asked for
  const a = new Float64Array(k * k);
  for (let i = 0; i < k; i++) a[i * k + i] = 1;
  parts.forEach((r, i) => {
    for (let e = 0; e < 2; e++) {
      const row = 2 * i + e;
      if (i > 0) a[(2 * i - 1) * k + row] = corners[5 * r + e]!;
      if (i < parts.length - 1) a[(2 * i + 2) * k + row] = corners[5 * r + 2 + e]!;
    }
  });
  const b = new Float64Array(2 * k);
  if (place > 0) b[(2 * place - 1) * 2] = 1;
  if (place < parts.length - 1) b[(2 * place + 2) * 2 + 1] = 1;
  solveInPlace(a, b, k, 2, new Float64Array(k));
  return b;
}
