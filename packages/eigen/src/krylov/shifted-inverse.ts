/** (B − σI)⁻¹ for σ below the spectrum of B, for a declared sparse or tridiagonal matrix B. */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Sparse, Tall } from "@expen/linalg";
import type { Diagonals } from "@expen/linalg/arrays";
import { eigenvaluesBelow, sparseIsSymmetric } from "@expen/linalg/arrays";
import { type Lowest, lanczos } from "@expen/linalg/dense";
import { numbersOf } from "@expen/linalg/engine";
import { analysed, factorize, type Symbolic, separatorWidth, solver } from "@expen/linalg/ldlt";
import type { KrylovPairs } from "./projection.js";

export interface Inverse {
  /** stored entries of a matrix whose pattern `entries` and `flops` have yet to analyse; 0 afterwards */
  readonly unanalysed: number;
  /** a rough lower bound of `entries` without that analysis */
  readonly leastEntries: number;
  /** entries that a factorization stores, and its flops; Infinity if it is too large */
  readonly entries: number;
  readonly flops: number;
  /** a lower bound of all eigenvalues (Gershgorin) */
  readonly bound: number;
  /** Y ← −(B − σI)⁻¹·X; undefined if B − σI is not positive definite */
  factorize(sigma: number): ((Y: Tall, X: Tall) => void) | undefined;
}

/** Undefined if rows are distributed, and for a sparse matrix on a device, since sparse factorizations are apply in host memory. */
export function inverseOf(E: Engine, { matrix }: QuadraticForm): Inverse | undefined {
  if (!matrix || "data" in matrix || E.ranks) return undefined;
  if ("pointers" in matrix) return E.device ? undefined : sparseInverse(E, matrix);
  const { lower, main, upper } = matrix;
  return tridiagonalInverse(E, {
    lower: numbersOf(E, lower),
    main: numbersOf(E, main),
    upper: numbersOf(E, upper),
  });
}

/** Least stored entries of a factor per entry of the matrix */
const FILL = 3;
/** Stored entries of a factor over the square of the size of the top separator (measured on grids of 20³ and 30³) */
const SEPARATED = 8;

/** Most passes of nested dissection over all edges; graphs that need more have factors too large to be useful. */
const SEARCHES = 60;

function sparseInverse(E: Engine, A: Sparse): Inverse {
  const size = A.rows;
  let analysis: { symbolic: Symbolic | undefined } | undefined;
  const symbolic = (): Symbolic | undefined =>
    (analysis ??= { symbolic: sparseIsSymmetric(A, 1e-12) ? analysed(A, SEARCHES) : undefined }).symbolic;
  let x = new Float64Array(0);
  let width: number | undefined;
  return {
    get unanalysed() {
      return analysis ? 0 : A.values.length;
    },
    get leastEntries() {
      return Math.max(FILL * A.values.length, SEPARATED * (width ??= separatorWidth(A)) ** 2);
    },
    get entries() {
      return symbolic()?.entries ?? Number.POSITIVE_INFINITY;
    },
    get flops() {
      return symbolic()?.flops ?? Number.POSITIVE_INFINITY;
    },
    get bound() {
      return lowestDisc(A);
    },
    factorize(sigma) {
      const pattern = symbolic();
      const factors = pattern && factorize(E, pattern, A, sigma, true);
      if (!factors) return undefined;
      const solve = solver(E, factors);
      return (Y, X) => {
        if (x.length !== size * X.cols) x = new Float64Array(size * X.cols);
        E.read(X, x);
        solve(x, X.cols);
        for (let k = 0; k < x.length; k++) x[k] = -x[k]!;
        E.write(Y, x);
      };
    },
  };
}

/** min_i B_ii − Σ_{j ≠ i} |B_ij| */
function lowestDisc({ rows: n, pointers, indices, values }: Sparse): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    let edge = 0;
    for (let k = pointers[i]!; k < pointers[i + 1]!; k++) {
      edge += indices[k] === i ? values[k]! : -Math.abs(values[k]!);
    }
    lowest = Math.min(lowest, edge);
  }
  return lowest;
}

function tridiagonalInverse(E: Engine, { lower, main, upper }: Diagonals): Inverse | undefined {
  const n = main.length;
  if (upper.some((v, i) => i < n - 1 && v !== lower[i + 1])) return undefined;
  let bound = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const radius = (i > 0 ? Math.abs(lower[i]!) : 0) + (i < n - 1 ? Math.abs(upper[i]!) : 0);
    bound = Math.min(bound, main[i]! - radius);
  }
  const column = (data: Float64Array) => ({ rows: n, cols: 1, data });
  return {
    unanalysed: 0,
    leastEntries: n,
    entries: n,
    flops: 3 * n,
    bound,
    factorize(sigma) {
      if (eigenvaluesBelow(main, upper, n, sigma) > 0) return undefined;
      const shifted = main.map((v) => v - sigma);
      const { solve } = E.operator({ lower: column(lower), main: column(shifted), upper: column(upper) });
      return (Y, X) => {
        solve!(Y, X);
        E.combine(Y, -1, Y, 0, Y);
      };
    },
  };
}

/** Lanczos steps that estimate the lower end of the spectrum */
const STEPS = 40;
/** Least distance of σ from that end over λmax − λmin, which bounds cond(B − σI) by about 10⁵ */
const LEAST_DISTANCE = 1e-5;
/** Growth of the distance after a σ above λmin */
const DISTANCE_GROWTH = 8;
/** Number of σ tried: the last one is 512 times as far as the first. */
const TRIALS = 4;

/** The extremes of the spectrum, by the first products of a run */
export const lanczosExtremes = (E: Engine, n: number, { apply }: QuadraticForm, seed: number): Lowest =>
  lanczos(E, n, 1, apply, () => {}, { steps: STEPS, seed }).lowest;

/** The extreme Ritz values, and the distance of the lowest from an eigenvalue at most */
export const extremesOf = ({ theta, residual }: KrylovPairs): Pick<Lowest, "value" | "highest" | "residual"> => ({
  value: theta[0]!,
  highest: theta.at(-1)!,
  residual: residual[0]!,
});

/**
 * Ritz pairs of B from those of −(B − σI)⁻¹. −(B − σI)⁻¹v = τv + w, w ⊥ V, gives λ − σ = −1/τ, and x = v + w/τ, which is one step of
 * inverse iteration on v, has the residual (B − λI)x = (λ − σ)²w (Ericsson and Ruhe 1980).
 */
export function pairsOfB({ theta: own, residual, s, r }: KrylovPairs, sigma: number): KrylovPairs {
  return {
    theta: own.map((tau) => sigma - 1 / tau),
    residual: residual.map((rho, j) => rho / own[j]! ** 2),
    s,
    r,
    own,
  };
}

/** The inverse at a σ below the spectrum with approximately these extremes; undefined if no σ was found */
export function shiftedInverse(
  inverse: Inverse,
  { value, highest, residual }: Pick<Lowest, "value" | "highest" | "residual">,
): { sigma: number; apply: (Y: Tall, X: Tall) => void } | undefined {
  const least = LEAST_DISTANCE * (highest - value);
  let distance = Math.max(2 * residual, least);
  for (let trial = 0; trial < TRIALS && distance > 0; trial++) {
    const sigma = Math.max(value - distance, inverse.bound - least);
    const apply = inverse.factorize(sigma);
    if (apply) return { sigma, apply };
    distance *= DISTANCE_GROWTH;
  }
  return undefined;
}
