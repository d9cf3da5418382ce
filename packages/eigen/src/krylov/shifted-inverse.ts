/** (B − σI)⁻¹ for σ below the spectrum of B, where the matrix of B is at hand and sparse or tridiagonal. */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Sparse, Tall } from "@expen/linalg";
import type { Diagonals } from "@expen/linalg/arrays";
import { eigenvaluesBelow, sparseIsSymmetric } from "@expen/linalg/arrays";
import { type Lowest, lanczos } from "@expen/linalg/dense";
import { numbersOf } from "@expen/linalg/engine";
import { analysed, factorize, type Symbolic, separatorWidth, solver } from "@expen/linalg/ldlt";
import type { KrylovPairs } from "./projection.js";

export interface Inverse {
  /** entries of a matrix whose pattern was not analysed yet: `entries` and `flops` analyse it; else 0 */
  readonly unanalysed: number;
  /** a rough lower bound of `entries` without that analysis */
  readonly leastEntries: number;
  /** numbers that a factorization stores, and its operations; infinite where there is none */
  readonly entries: number;
  readonly flops: number;
  /** a lower bound of all eigenvalues (Gershgorin) */
  readonly bound: number;
  /** Y ← −(B − σI)⁻¹·X; nothing where B − σI is not positive definite */
  factorize(sigma: number): ((Y: Tall, X: Tall) => void) | undefined;
}

/** Nothing where rows are distributed. A sparse factorization is made in host memory, and none for X on a device. */
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

/** Numbers that a factorization stores at least for each entry of the matrix */
const FILL = 3;
/** Numbers that it stores for the square of the vertices of a separator: grids of 20³ and 30³ */
const SEPARATED = 8;

/** Searches for separators may go over all edges so many times: where they need more, a factorization is too large to be worth it. */
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
/** Distance of σ from that end, at least, as a part of the spread of the spectrum; its growth after a σ that was above the end */
const LEAST = 1e-5;
const FURTHER = 8;
const TRIALS = 4;

/** The extremes of the spectrum, by the first products of a run */
export const lanczosExtremes = (E: Engine, n: number, { apply }: QuadraticForm, seed: number): Lowest =>
  lanczos(E, n, 1, apply, () => {}, { steps: STEPS, seed }).lowest;

/** The extreme Ritz values, and how far the lowest may be from an eigenvalue */
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

/** The inverse at a σ below the spectrum, whose extremes are about these; nothing where no σ was found */
export function shiftedInverse(
  inverse: Inverse,
  { value, highest, residual }: Pick<Lowest, "value" | "highest" | "residual">,
): { sigma: number; apply: (Y: Tall, X: Tall) => void } | undefined {
  const least = LEAST * (highest - value);
  let distance = Math.max(2 * residual, least);
  for (let trial = 0; trial < TRIALS && distance > 0; trial++) {
    const sigma = Math.max(value - distance, inverse.bound - least);
    const made = inverse.factorize(sigma);
    if (made) return { sigma, apply: made };
    distance *= FURTHER;
  }
  return undefined;
}
