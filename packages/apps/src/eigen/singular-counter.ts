/** Counts the singular values of A, at least as tall as wide, below a number. */
import { gamma } from "@expen/core/certify";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { tallOf } from "@expen/linalg/engine";
import type { Counter } from "./completeness.js";
import { type ShiftedPencil, shiftedPencil } from "./shifted-pencil.js";

/** `norm`: a bound of ‖A‖; undefined where a factorization would be too large */
export function singularCounter(
  E: Engine,
  A: Matrix | Sparse,
  norm: number,
): (Counter & { flops: number }) | undefined {
  return isSparse(A) ? byBothSides(E, A, norm) : bySquares(E, A, norm);
}

/** By the inertia of H − xI, H = [0 A; Aᵀ 0]: its eigenvalues are ±σ, and m − n zeros; those above an x > 0 are the σ above x. */
function byBothSides(E: Engine, A: Sparse, norm: number): (Counter & { flops: number }) | undefined {
  const { rows: m, cols: n } = A;
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < m; row++) {
    for (let k = A.pointers[row]!; k < A.pointers[row + 1]!; k++) {
      i.push(row, m + A.indices[k]!);
      j.push(m + A.indices[k]!, row);
      values.push(A.values[k]!, A.values[k]!);
    }
  }
  const shifted = shiftedPencil({ E, n: m + n, A: { matrix: sparseFromTriplets(m + n, m + n, i, j, values), norm } });
  return (
    shifted &&
    counter(shifted, n, "inertia of [−x A; Aᵀ −x]", (x) => {
      const counted = shifted.count(x);
      return counted && { count: Math.max(0, counted.below - m), error: counted.error };
    })
  );
}

/** By the inertia of AᵀA − x²I; an error δ of AᵀA moves a σ near x by δ/x */
function bySquares(E: Engine, A: Matrix, norm: number): (Counter & { flops: number }) | undefined {
  const { rows: m, cols: n, data } = A;
  const K = E.small(n, n);
  E.gram(K, tallOf(E, A));
  const square = data.reduce((sum, v) => sum + v * v, 0);
  const shifted = shiftedPencil({ E, n, A: { matrix: { rows: n, cols: n, data: E.read(K) }, norm: norm ** 2 } });
  return (
    shifted &&
    counter(shifted, n, "inertia of AᵀA − x²", (x) => {
      const counted = shifted.count(x * x);
      return counted && { count: counted.below, error: (counted.error + gamma(m + 8) * square) / x };
    })
  );
}

function counter(
  { flops }: ShiftedPencil,
  total: number,
  how: string,
  below: (x: number) => ReturnType<Counter["below"]>,
): Counter & { flops: number } {
  return { flops, total, how, below: (x) => (x > 0 ? below(x) : { count: 0, error: 0 }) };
}
