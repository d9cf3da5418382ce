import type { Engine, Operator, Precondition } from "../types.js";

/** Largest n whose n×n inverse is formed: 8/3·n³ flops and 8n² bytes */
const LARGEST = 2000;
/** Columns from which that is less than what the steps it saves would cost: n/400 */
const STEPS = 400;

/**
 * G ↦ B⁻¹·G for XᵀBX = I, the gradient in the inner product of B: with it the condition of B no longer counts. Where B is dense its
 * inverse is formed, if that pays; where it has a `solve` that is taken; otherwise there is none. (Measured, cond(B) = 100: 127
 * evaluations in the place of 400.)
 */
export function metricInverse(E: Engine, n: number, p: number, B: Operator): Precondition | undefined {
  const { solve } = B;
  if (solve) return (Z, _X, G) => solve(Z, G);
  const dense = B.flops >= 2 * n * n;
  if (!dense || n > LARGEST || STEPS * p < n || E.ranks) return undefined;
  // a run that begins at its end needs none
  let inverse: Operator | undefined;
  return (Z, _X, G) => {
    inverse ??= denseInverse(E, n, B);
    inverse.apply(Z, G);
  };
}

function denseInverse(E: Engine, n: number, B: Operator): Operator {
  const [identity, M, inverse] = [E.small(n, n), E.small(n, n), E.small(n, n)];
  E.addDiagonal(identity, 1);
  B.apply(M, identity);
  E.factor.solve(inverse, M, identity);
  E.symmetrize(inverse);
  return E.operator({ rows: n, cols: n, data: E.read(inverse) });
}
