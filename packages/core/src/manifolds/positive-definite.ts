import type { Engine, Matrix, Small, Sparse, Tridiagonal } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { choleskyDiagonals, mapDiagonals, sparseIsSymmetric } from "@expen/linalg/arrays";
import { numbersOf } from "@expen/linalg/engine";
import { analyse, factorize, upperFactor } from "@expen/linalg/ldlt";
import type { Metric } from "../contracts/constraint.js";
import { denseFactor, type MetricFactor, sparseFactor } from "./metric-factor.js";
import { type MetricAction, pairFactor } from "./metric-pairs.js";

/** Entries that differ by more than this part of the largest one are not rounding. */
const ASYMMETRY = 1e-12;

/** R of B = RᵀR. Throws a sentence where a dense B is not symmetric or not positive definite: which entry, which pivot. */
export function factorDefinite(E: Engine, B: Matrix): Small {
  const { rows: n, cols } = B;
  if (n !== cols) throw new RangeError(`generalizedStiefel: B is ${n}×${cols}; it must be square.`);
  const b = numbersOf(E, B);
  if (b.length !== n * n) {
    throw new RangeError(`generalizedStiefel: B is ${n}×${n} but has ${b.length} numbers; it must have ${n * n}.`);
  }
  let largest = 0;
  for (let k = 0; k < b.length; k++) {
    if (!Number.isFinite(b[k]!)) {
      const entry = `(${Math.floor(k / n)}, ${k % n})`;
      throw new RangeError(`generalizedStiefel: entry ${entry} of B is ${b[k]}; every entry must be finite.`);
    }
    largest = Math.max(largest, Math.abs(b[k]!));
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.abs(b[i * n + j]! - b[j * n + i]!) <= ASYMMETRY * largest) continue;
      throw notSymmetric([i, j], [b[i * n + j]!, b[j * n + i]!]);
    }
  }
  const R = E.small(n, n, b);
  if (E.factor.cholesky(R, R)) return R;
  const { pivot, value } = failedPivot(Float64Array.from(b), n);
  throw new RangeError(
    `generalizedStiefel: B is not positive definite: pivot ${pivot} of its Cholesky factorization is ${digits(value)}.`,
  );
}

/** A sparse B is factorized where L has at most so many times its numbers. */
const FILLED = 20;

/** Throws a sentence where a sparse B is not symmetric or not positive definite; undefined where its factor has too many numbers. */
export function factorSparse(E: Engine, B: Sparse): MetricFactor | undefined {
  const { rows: n, cols, values } = B;
  if (n !== cols) throw new RangeError(`generalizedStiefel: B is ${n}×${cols}; it must be square.`);
  requireFinite(values);
  if (!sparseIsSymmetric(B, ASYMMETRY)) {
    throw new RangeError("generalizedStiefel: B is not symmetric; take (B + Bᵀ)/2 if that is meant.");
  }
  requirePositiveDiagonal(B);
  const symbolic = analyse(B, FILLED * values.length);
  const factors = symbolic && factorize(E, symbolic, B, 0);
  if (!factors) return undefined;
  const { order } = symbolic;
  const place = factors.d.findIndex((pivot) => !(pivot > 0));
  if (place >= 0) throw notDefinite(order[place]!, factors.d[place]!);
  return sparseFactor(E, upperFactor(factors), order);
}

function requireFinite(numbers: Float64Array): void {
  const bad = numbers.findIndex((v) => !Number.isFinite(v));
  if (bad < 0) return;
  throw new RangeError(`generalizedStiefel: an entry of B is ${numbers[bad]}; every entry must be finite.`);
}

function notSymmetric([i, j]: readonly [number, number], [a, b]: readonly [number, number]): RangeError {
  const entries = `(${i}, ${j}) is ${digits(a)} and (${j}, ${i}) is ${digits(b)}`;
  return new RangeError(`generalizedStiefel: B is not symmetric: ${entries}; take (B + Bᵀ)/2 if that is meant.`);
}

/** Rows, and rows for each column of X, up to which B is formed: a run takes as many products with B, and more, without its factor. */
const FORMED = { rows: 1000, perColumn: 128 };

/** The same of a B given by its action: of B itself where that is small, else of pairs (X, BX) where B⁻¹ takes few products. */
export function factorAction(E: Engine, B: MetricAction, n: number, p: number): Pick<Metric, "factor" | "pairs"> {
  const factor = !E.ranks && n <= Math.min(FORMED.rows, FORMED.perColumn * p) ? formedFactor(E, B, n, p) : undefined;
  return factor ? { factor } : pairsOf(E, B, n, p);
}

/** Of pairs (X, BX) on one process */
export function pairsOf(E: Engine, B: MetricAction, n: number, p: number): Pick<Metric, "pairs"> {
  if (E.ranks) return {};
  let made: { pairs: MetricFactor | undefined } | undefined;
  return { pairs: () => (made ??= { pairs: pairFactor(E, n, p, B) }).pairs };
}

/** From products with p columns of I each; undefined where B is not definite */
function formedFactor(E: Engine, B: MetricAction, n: number, p: number): MetricFactor | undefined {
  const b = new Float64Array(n * n);
  const [X, Y] = [E.tall(n, p), E.tall(n, p)];
  const columns = new Float64Array(n * p);
  for (let next = 0; next < n; next += p) {
    // the last columns once more rather than fewer: an action may know p columns alone
    const first = Math.min(next, n - p);
    columns.fill(0);
    for (let j = 0; j < p; j++) columns[(first + j) * p + j] = 1;
    E.write(X, columns);
    B.apply(Y, X);
    E.read(Y, columns);
    for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) b[i * n + first + j] = columns[i * p + j]!;
  }
  const R = E.small(n, n, b);
  E.symmetrize(R);
  return E.factor.cholesky(R, R) ? denseFactor(E, R) : undefined;
}

const notDefinite = (row: number, pivot: number): RangeError =>
  new RangeError(
    `generalizedStiefel: B is not positive definite: the pivot of row ${row} in its LDLᵀ factorization is ${digits(pivot)}.`,
  );

/** The same of a tridiagonal B */
export function factorTridiagonal(E: Engine, B: Tridiagonal): MetricFactor {
  const { lower, main, upper } = mapDiagonals(B, (diagonal) => numbersOf(E, diagonal));
  for (const numbers of [main, lower.subarray(1), upper.subarray(0, main.length - 1)]) requireFinite(numbers);
  const largest = main.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  for (let i = 1; i < main.length; i++) {
    const [above, below] = [upper[i - 1]!, lower[i]!];
    if (Math.abs(above - below) <= ASYMMETRY * largest) continue;
    throw notSymmetric([i, i - 1], [below, above]);
  }
  const R = choleskyDiagonals({ main, upper });
  if ("pivot" in R) throw notDefinite(R.row, R.pivot);
  return sparseFactor(E, R);
}

/** Requires a positive diagonal, which every positive definite B has. */
function requirePositiveDiagonal({ rows: n, pointers, indices, values }: Sparse): void {
  for (let i = 0; i < n; i++) {
    let entry = 0;
    for (let k = pointers[i]!; k < pointers[i + 1]!; k++) if (indices[k] === i) entry += values[k]!;
    if (entry > 0) continue;
    throw new RangeError(`generalizedStiefel: B is not positive definite: entry (${i}, ${i}) is ${digits(entry)}.`);
  }
}

/** The first pivot that is not positive, by the factorization row by row; b is overwritten */
function failedPivot(b: Float64Array, n: number): { pivot: number; value: number } {
  for (let k = 0; k < n; k++) {
    const value = b[k * n + k]!;
    if (!(value > 0)) return { pivot: k, value };
    for (let i = k + 1; i < n; i++) {
      const t = b[k * n + i]! / value;
      for (let j = i; j < n; j++) b[i * n + j]! -= t * b[k * n + j]!;
    }
  }
  return { pivot: n - 1, value: b[n * n - 1]! };
}
