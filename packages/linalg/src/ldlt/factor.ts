/**
 * P·(A − σI)·Pᵀ = L·D·Lᵀ of a sparse symmetric A, by fronts (Duff and Reid, The multifrontal solution of indefinite
 * sparse symmetric linear equations, ACM TOMS 9, 1983): every supernode is eliminated in a dense matrix of its columns
 * and the rows below them, to which its children have added their update matrices. Without pivoting: element growth is measured
 * afterwards (growth.ts).
 */
import type { Engine } from "../contracts/engine.js";
import type { Sparse } from "../contracts/matrix.js";
import { denseFront } from "./dense-front.js";
import type { Symbolic } from "./symbolic.js";

export interface Factors {
  /** the pivots, in the order of their elimination */
  readonly d: Float64Array;
  /** L by columns: supernodes, wide ones in pieces */
  readonly blocks: readonly Block[];
  readonly symbolic: Symbolic;
  /** negative pivots: the number of eigenvalues of A below σ (Sylvester), up to rounding */
  readonly negative: number;
}

/** The k columns of L from `at` on, with entries in `rows` below their triangle */
export interface Block {
  readonly at: number;
  readonly k: number;
  readonly rows: Int32Array;
  /** (k + rows)×k, row-major; entries on and above the diagonal are undefined */
  readonly panel: Float64Array;
}

/** Columns of a block at most: the rectangular part of wide supernodes is used in fast matrix products. */
const WIDEST = 96;

/** undefined if a pivot is zero or, with `definite`, negative */
export function factorize(
  E: Engine,
  symbolic: Symbolic,
  A: Sparse,
  sigma: number,
  definite = false,
): Factors | undefined {
  const { size, order, place, first, rows, parent } = symbolic;
  const { eliminate } = denseFront(E);
  const count = first.length - 1;
  const d = new Float64Array(size);
  const blocks: Block[] = [];
  /** update matrices of children, by parent */
  const updates: { s: number; numbers: Float64Array }[][] = Array.from({ length: count }, () => []);
  /** the row of the front for row i of A */
  const local = new Int32Array(size);
  let front = new Float64Array(0);
  let negative = 0;
  for (let s = 0; s < count; s++) {
    const [at, end, below] = [first[s]!, first[s + 1]!, rows[s]!];
    const k = end - at;
    const m = k + below.length;
    for (let j = at; j < end; j++) local[j] = j - at;
    for (let r = 0; r < below.length; r++) local[below[r]!] = k + r;
    if (front.length < m * m) front = new Float64Array(Math.max(m * m, Math.min(2 * front.length, 2 ** 24)));
    front.fill(0, 0, m * m);
    for (let j = at; j < end; j++) assemble(j, at, m);
    for (const child of updates[s]!) extend(child, m);
    updates[s] = [];
    const pivots = d.subarray(at, end);
    if (!eliminate(front, m, k, pivots)) return undefined;
    for (const v of pivots) if (v < 0) negative++;
    if (definite && negative > 0) return undefined;
    for (let from = 0; from < k; from += WIDEST) blocks.push(blockOf(at, from, Math.min(k, from + WIDEST), k, below));
    if (below.length > 0) updates[parent[s]!]!.push({ s, numbers: remainder(m, k) });
  }
  return { d, blocks, symbolic, negative };

  /** Columns from … to − 1 of the front of a supernode that begins at column `at` and has k columns */
  function blockOf(at: number, from: number, to: number, k: number, below: Int32Array): Block {
    const [m, width] = [k + below.length, to - from];
    const rows = new Int32Array(m - to);
    for (let r = to; r < k; r++) rows[r - to] = at + r;
    rows.set(below, k - to);
    const panel = new Float64Array((m - from) * width);
    for (let r = from; r < m; r++) panel.set(front.subarray(r * m + from, r * m + to), (r - from) * width);
    return { at: at + from, k: width, rows, panel };
  }

  /** Column j of P(A − σI)Pᵀ from the diagonal down; entries stored on one side of A only count on both */
  function assemble(j: number, at: number, m: number): void {
    const v = order[j]!;
    for (let e = A.pointers[v]!; e < A.pointers[v + 1]!; e++) {
      const i = place[A.indices[e]!]!;
      if (i >= j) front[local[i]! * m + j - at]! += A.values[e]!;
    }
    front[(j - at) * (m + 1)]! -= sigma;
  }

  /** The lower triangle, packed row by row */
  function remainder(m: number, k: number): Float64Array {
    const r = m - k;
    const numbers = new Float64Array((r * (r + 1)) / 2);
    for (let i = 0; i < r; i++) {
      const from = (k + i) * m + k;
      numbers.set(front.subarray(from, from + i + 1), (i * (i + 1)) / 2);
    }
    return numbers;
  }

  function extend({ s, numbers }: { s: number; numbers: Float64Array }, m: number): void {
    const from = rows[s]!;
    let e = 0;
    for (let i = 0; i < from.length; i++) {
      const y = local[from[i]!]! * m;
      for (let j = 0; j <= i; j++) front[y + local[from[j]!]!]! += numbers[e++]!;
    }
  }
}
