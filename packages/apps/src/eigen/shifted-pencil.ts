/**
 * A − σB = PᵀLDLᵀP in host memory: solutions with it, and the number of eigenvalues of the pencil below σ, which is that of the negative
 * pivots (Sylvester), since A − σB = RᵀCR with RᵀR = B and C = R⁻ᵀAR⁻¹ − σI.
 */
import { gamma } from "@expen/core/certify";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { analysed, denseSymbolic, type Factors, factorize, growthOf, type Symbolic } from "@expen/linalg/ldlt";
import type { Product } from "./pencil.js";
import { fullSparse } from "./read-matrix.js";

export interface ShiftedPencil {
  readonly n: number;
  /** flops of a factorization, and the entries that it stores */
  readonly flops: number;
  readonly entries: number;
  /** ‖A‖, and ‖B‖ or 1 */
  readonly norms: readonly [number, number];
  /** undefined where a pivot is 0 */
  factorize(sigma: number): Factors | undefined;
  /** The pivots of a matrix within `error` of A − σB have as many negative numbers as `below`; undefined if a pivot is 0. */
  count(sigma: number): { readonly below: number; readonly error: number } | undefined;
}

/** Largest n of a dense matrix that is factorized here: it takes 100 MB and its factor as much. */
const LARGEST_DENSE = 3000;
/** Passes of nested dissection over all edges; a graph that needs more has factors too large to be useful. */
const SEARCHES = 60;

/** Of a product, its entries and their norm */
type Entries = Pick<Product, "matrix" | "norm">;

/** Undefined for functions, where rows are distributed, and where the factors would be too large */
export function shiftedPencil({
  E,
  n,
  A,
  B,
}: {
  readonly E: Engine;
  readonly n: number;
  readonly A: Entries;
  readonly B?: Entries;
}): ShiftedPencil | undefined {
  if (E.ranks || !A.matrix || (B && !B.matrix)) return undefined;
  const isFull = !isSparse(A.matrix) || (B?.matrix && !isSparse(B.matrix));
  if (isFull && n > LARGEST_DENSE) return undefined;
  const [a, b] = B ? onePattern(sparseOf(A.matrix), sparseOf(B.matrix!)) : [sparseOf(A.matrix), undefined];
  const symbolic = isFull ? denseSymbolic(n) : analysed(a, SEARCHES);
  return symbolic && shiftedMatrix(E, symbolic, a, b, [A.norm, B?.norm ?? 1]);
}

function shiftedMatrix(
  E: Engine,
  symbolic: Symbolic,
  A: Sparse,
  B: Sparse | undefined,
  norms: readonly [number, number],
): ShiftedPencil {
  const values = B ? new Float64Array(A.values.length) : A.values;
  const shifted = (sigma: number): Factors | undefined => {
    if (!B) return factorize(E, symbolic, A, sigma);
    for (let k = 0; k < values.length; k++) values[k] = A.values[k]! - sigma * B.values[k]!;
    return factorize(E, symbolic, { ...A, values }, 0);
  };
  return {
    n: A.rows,
    flops: symbolic.flops,
    entries: symbolic.entries,
    norms,
    factorize: shifted,
    count(sigma) {
      const factors = shifted(sigma);
      if (!factors) return undefined;
      const { size, terms } = growthOf(factors);
      const error = gamma(terms + 8) * size + gamma(4) * (norms[0] + Math.abs(sigma) * norms[1]);
      return Number.isFinite(error) ? { below: factors.negative, error } : undefined;
    },
  };
}

const sparseOf = (M: Matrix | Sparse): Sparse => (isSparse(M) ? M : fullSparse(M));

/** Both matrices with the entries of either, zeros among them */
function onePattern(A: Sparse, B: Sparse): [Sparse, Sparse] {
  const [i, j]: [number[], number[]] = [[], []];
  for (const M of [A, B]) {
    for (let row = 0; row < M.rows; row++) {
      for (let k = M.pointers[row]!; k < M.pointers[row + 1]!; k++) {
        i.push(row);
        j.push(M.indices[k]!);
      }
    }
  }
  const [a, b] = [new Float64Array(i.length), new Float64Array(i.length)];
  a.set(A.values);
  b.set(B.values, A.values.length);
  return [sparseFromTriplets(A.rows, A.cols, i, j, a), sparseFromTriplets(A.rows, A.cols, i, j, b)];
}
