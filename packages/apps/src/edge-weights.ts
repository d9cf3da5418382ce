import { ProblemError } from "@expen/linalg";

/** Throws a sentence where W is not symmetric or has edges from a node to itself. */
export function requireWeights(application: string, w: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      if (w[i * n + j] !== w[j * n + i]) {
        throw new ProblemError(`${application}: W is not symmetric at (${i}, ${j}); give (W + Wᵀ)/2.`);
      }
    }
    if (w[i * (n + 1)] !== 0) throw new ProblemError(`${application}: node ${i} has an edge to itself; set W_ii = 0.`);
  }
}
