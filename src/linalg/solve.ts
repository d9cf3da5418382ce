import { requireShape } from "../shape.js";
import type { Engine, Factorizations, Small } from "../types.js";

/** X ← A⁻¹·B for A p×p, B p×q */
export type LinearSolver = Factorizations["solve"];

export function linearSolver(E: Engine, p: number, q: number): LinearSolver {
  return (X, A, B) => {
    requireShape(A, p, p, "solve", "A");
    requireShape(B, p, q, "solve", "B");
    E.factor.solve(X, A, B);
  };
}

/** One solution. */
export const solve = (E: Engine, X: Small, A: Small, B: Small): void => E.factor.solve(X, A, B);
