import { ProblemError, random } from "@expen/linalg";
import { solver } from "@expen/linalg/ldlt";
import type { Pencil } from "./pencil.js";
import { shiftedPencil } from "./shifted-pencil.js";

/** Steps of inverse iteration */
const STEPS = 8;
/** Shares of its estimate that are tried as a bound */
const SHARES = [0.5, 0.1, 0.01];

/**
 * A lower bound of λmin(B) > 0, shown by a factorization of B − βI; undefined where B cannot be factorized here. Throws unless B is
 * positive definite.
 */
export function leastEigenvalue(name: string, { E, n, B }: Pencil): number | undefined {
  const shifted = B && shiftedPencil({ E, n, A: B });
  if (!shifted) return undefined;
  const factors = shifted.factorize(0);
  if (!factors || factors.negative > 0) throw indefinite(name);
  const solve = solver(E, factors);
  const x = Float64Array.from({ length: n }, random(1, "least eigenvalue").normal);
  let estimate = 0;
  for (let step = 0; step < STEPS; step++) {
    const length = Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
    for (let i = 0; i < n; i++) x[i]! /= length;
    solve(x, 1);
    estimate = 1 / Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
  }
  for (const share of SHARES) {
    const counted = shifted.count(share * estimate);
    if (counted?.below === 0 && counted.error < 0.5 * share * estimate) return share * estimate - counted.error;
  }
  throw indefinite(name);
}

const indefinite = (name: string): ProblemError =>
  new ProblemError(`${name}: B is singular or indefinite up to rounding; it must be positive definite.`);
