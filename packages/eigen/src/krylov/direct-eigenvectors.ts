import type { QuadraticForm } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { isSparse, isSymmetric, sparseToDense, symmetricPart } from "@expen/linalg/arrays";
import { denseOf, eigh, PARTIAL_EIGENSOLVE_SHARE } from "@expen/linalg/dense";
import { numbersOf } from "@expen/linalg/engine";
import type { Pairing } from "./pairing.js";

/** Largest n of a dense n×n matrix: it takes 128 MB. */
export const LARGEST_DENSE = 4000;
/** Columns of the identity that `apply` multiplies at once: enough for an efficient block product, few enough for a small copy. */
const PIECE = 256;

/**
 * X ← the minimiser of ½⟨X, BXC⟩ by a dense factorization of B: exact, O(n³). Returns f(X) and an
 * estimate of ‖grad f‖ = ‖(I − XXᵀ)BXC‖: the norm of the sum of its columns with random signs.
 */
export function directEigenvectors(
  E: Engine,
  X: Tall,
  form: QuadraticForm,
  target: Pairing,
  normal: () => number,
): { value: number; gnorm: number } {
  const { rows: n, cols: p } = X;
  const { apply, C, constant = 0 } = form;
  const { x, value } = eigenvectorsAt(E, formNumbers(E, form, n), n, target, p);
  // the reduction to tridiagonal form, which no engine counts: the budget of a proof is the operations of the run
  E.counters.flops += (4 / 3) * n ** 3;
  E.write(X, x);
  const signs = E.small(
    p,
    1,
    Float64Array.from({ length: p }, () => Math.sign(normal())),
  );
  const [Cz, s, u, v] = [E.small(p, 1), E.small(p, 1), E.tall(n, 1), E.tall(n, 1)];
  if (C) E.mul(Cz, C, signs);
  E.mul(u, X, C ? Cz : signs);
  apply(v, u);
  E.tmul(s, X, v);
  E.mul(v, X, s, -1, 1);
  return { value: constant + value, gnorm: Math.sqrt(E.dot(v, v)) };
}

/** The entries of the symmetric part of the matrix of a form, by products if it is tridiagonal or not declared */
export function formNumbers(E: Engine, { matrix, symmetric, apply }: QuadraticForm, n: number): Float64Array {
  if (!matrix || "main" in matrix) return denseOf(E, apply, n, PIECE);
  const b = numbersOf(E, isSparse(matrix) ? sparseToDense(matrix) : matrix);
  if (symmetric || isSymmetric(b, n)) return b;
  const part = new Float64Array(n * n);
  symmetricPart(part, b, n);
  return part;
}

/** The entries of the n×p minimiser of ½⟨X, BXC⟩: the eigenvectors of B, whose entries are b, as C pairs them */
export function eigenvectorsAt(
  E: Engine,
  b: Float64Array,
  n: number,
  target: Pairing,
  p: number,
): { x: Float64Array; value: number } {
  const { v, values } = eigenvectors(E, b, n, target);
  const count = values.length;
  const places = Array.from({ length: p }, (_, j) => target.place(j, count));
  const inOrder = count === p && places.every((place, j) => place === j);
  const x = inOrder ? v : columnsAt(v, n, count, places);
  target.multiplyByUt(x);
  return { x, value: target.value(values) };
}

function columnsAt(v: Float64Array, n: number, count: number, places: readonly number[]): Float64Array {
  const p = places.length;
  const x = new Float64Array(n * p);
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) x[i * p + j] = v[i * count + places[j]!]!;
  return x;
}

/** Eigenvectors of B, as columns, and their eigenvalues: all, or the wanted ones if these are few and at the lower end */
function eigenvectors(
  E: Engine,
  b: Float64Array,
  n: number,
  { low, high }: Pairing,
): { v: Float64Array; values: Float64Array } {
  if (E.factor.lowest && high === 0 && low <= PARTIAL_EIGENSOLVE_SHARE * n) {
    const [V, values] = [E.small(n, low), new Float64Array(low)];
    if (E.factor.lowest(V, values, b)) return { v: E.read(V), values };
  }
  const { vectors, values } = eigh(E, E.small(n, n, b));
  return { v: E.read(vectors), values };
}
