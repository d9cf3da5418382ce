import type { Engine, Matrix, Small, Sparse, Tridiagonal } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { sparseIsSymmetric } from "@expen/linalg/arrays";
import { numbersOf } from "@expen/linalg/engine";
import { analyse, factorize, upperFactor } from "@expen/linalg/ldlt";
import { type MetricFactor, sparseFactor } from "./metric-factor.js";

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
      const entries = `(${i}, ${j}) is ${digits(b[i * n + j]!)} and (${j}, ${i}) is ${digits(b[j * n + i]!)}`;
      throw new RangeError(`generalizedStiefel: B is not symmetric: ${entries}; take (B + Bᵀ)/2 if that is meant.`);
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
  const bad = values.findIndex((v) => !Number.isFinite(v));
  if (bad >= 0)
    throw new RangeError(`generalizedStiefel: an entry of B is ${values[bad]}; every entry must be finite.`);
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

const notDefinite = (row: number, pivot: number): RangeError =>
  new RangeError(
    `generalizedStiefel: B is not positive definite: the pivot of row ${row} in its LDLᵀ factorization is ${digits(pivot)}.`,
  );

/** The same of a tridiagonal B = RᵀR with R bidiagonal */
export function factorTridiagonal(E: Engine, { lower, main, upper }: Tridiagonal): MetricFactor {
  const n = main.rows;
  const largest = main.data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const pointers = Int32Array.from({ length: n + 1 }, (_, i) => Math.min(2 * i, 2 * n - 1));
  const [indices, values] = [new Int32Array(2 * n - 1), new Float64Array(2 * n - 1)];
  /** entry (i, i − 1) of B over the root of pivot i − 1 */
  let beside = 0;
  for (let i = 0; i < n; i++) {
    const pivot = main.data[i]! - beside ** 2;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) throw notDefinite(i, pivot);
    const root = Math.sqrt(pivot);
    indices[2 * i] = i;
    values[2 * i] = root;
    if (i === n - 1) break;
    const [above, below] = [upper.data[i]!, lower.data[i + 1]!];
    if (!(Math.abs(above - below) <= ASYMMETRY * largest)) {
      const entries = `(${i}, ${i + 1}) is ${digits(above)} and (${i + 1}, ${i}) is ${digits(below)}`;
      throw new RangeError(`generalizedStiefel: B is not symmetric: ${entries}; take (B + Bᵀ)/2 if that is meant.`);
    }
    beside = above / root;
    indices[2 * i + 1] = i + 1;
    values[2 * i + 1] = beside;
  }
  return sparseFactor(E, { rows: n, cols: n, pointers, indices, values });
}

/** What a sparse B must have to be positive definite, and shows at once */
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
