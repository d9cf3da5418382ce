/** The B of XᵀBX = I as users give it. */
import type { Engine, Matrix, NumericLike, Sparse, Tridiagonal } from "@expen/linalg";
import { isForeignMatrix, numericMatrix } from "@expen/linalg";
import { denseFactor, type MetricFactor } from "./metric-factor.js";
import type { MetricAction } from "./metric-pairs.js";
import { factorDefinite, factorSparse, factorTridiagonal } from "./positive-definite.js";

/** A symmetric positive definite B: its numbers, or its action, Y ← B·X, with or without an approximate inverse, X ← B⁻¹·Y */
export type MetricMatrix = NumericLike | Sparse | Tridiagonal | MetricAction;

/** B with its numbers in a Float64Array */
export function metricOf(B: MetricMatrix): Matrix | Sparse | Tridiagonal | MetricAction {
  const isObject = typeof B === "object" && B !== null;
  if (isObject && isForeignMatrix(B)) {
    try {
      return numericMatrix(B);
    } catch (error) {
      throw new RangeError(`generalizedStiefel: B: ${(error as Error).message}`, { cause: error });
    }
  }
  if (isObject && ("main" in B || "rows" in B)) return B as Matrix | Sparse | Tridiagonal | MetricAction;
  const user = isObject ? "an object without rows" : String(B);
  throw new TypeError(`generalizedStiefel: B is ${user}; give a matrix, or { rows, apply(Y, X) } with Y ← B·X.`);
}

/** R of B = RᵀR; a B whose rows are spread over processes has none */
export function factorOf(E: Engine, B: Matrix | Sparse | Tridiagonal): MetricFactor | undefined {
  if ("data" in B) return denseFactor(E, factorDefinite(E, B));
  return "main" in B ? factorTridiagonal(E, B) : factorSparse(E, B);
}
