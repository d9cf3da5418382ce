/** Eigenvectors of a small symmetric matrix, by the engine of plain loops. */
import { jsEngine } from "@expen/linalg/engine";

/** `vectors`: rows of V, with A = V·Diag(values)·Vᵀ */
export function eigh(A: readonly (readonly number[])[]): { values: number[]; vectors: number[][] } {
  const [E, n] = [jsEngine(), A.length];
  const [V, values] = [E.small(n, n), new Float64Array(n)];
  E.factor.eigh(V, values, E.small(n, n, Float64Array.from(A.flat())));
  return {
    values: Array.from(values),
    vectors: Array.from({ length: n }, (_, i) => Array.from(V.data.slice(i * n, (i + 1) * n))),
  };
}
