import type { Engine, Matrix, Small, Sparse } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { sparseIsSymmetric } from "@expen/linalg/arrays";
import { numbersOf } from "@expen/linalg/engine";
import { analyse, factorize } from "@expen/linalg/ldlt";

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

/** A sparse B is factorized to see its pivots where L has at most so many times its numbers. */
const FILLED = 20;

/** Throws a sentence where a sparse B is not symmetric or not positive definite; of its pivots only where they cost little. */
export function requireDefinite(E: Engine, B: Sparse): void {
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
  const place = factors ? factors.d.findIndex((pivot) => !(pivot > 0)) : -1;
  if (place < 0) return;
  const pivot = `the pivot of row ${symbolic!.order[place]} in its LDLᵀ factorization is ${digits(factors!.d[place]!)}`;
  throw new RangeError(`generalizedStiefel: B is not positive definite: ${pivot}.`);
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
