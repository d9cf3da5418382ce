import type { Precondition, StiefelOptions } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";

/** Curvatures below this part of the largest, and negative ones, are taken as this part. */
const LEAST = 1e-3;

/**
 * A preconditioner on the orthogonal group, from the curvature in each plane of two columns: with X turning as X·exp(A), A = −Aᵀ,
 *
 *     f(X·exp(A)) ≈ f(X) + ⟨XᵀG, A⟩ + ½ Σ_ij h_ij·A_ij²,     P·G = X·((XᵀG)∘(1/h)).
 *
 * h is symmetric, so P is symmetric, and positive definite as h is made positive. Picard has it for independent components, qndiag for
 * joint diagonalisation (Ablin, Cardoso, Gramfort 2018, 2019): there the Hessian at the solution is diagonal in A.
 */
export function pairMetric(E: Engine, p: number, curvatures: (h: Float64Array, X: Tall) => void): Precondition {
  const h = new Float64Array(p * p);
  const [H, S, W, at] = [E.small(p, p), E.small(p, p), E.small(p, p), E.tall(p, p)];
  const moved = E.tall(p, p);
  let known = false;
  return (Z, X, G) => {
    if (known) E.combine(moved, 1, X, -1, at);
    if (!known || E.dot(moved, moved) > 0) {
      curvatures(h, X);
      makePositive(h);
      E.write(H, h);
      E.copy(at, X);
      known = true;
    }
    E.tmul(S, X, G);
    E.map([W], quotient, [S, H]);
    E.mul(Z, X, W);
  };
}

/** The method that goes with it, where none was named: the first matrix is nearly right, and more pairs are cheap beside the data. */
export const inPairMetric = (o: StiefelOptions, precondition: Precondition): StiefelOptions =>
  o.solver ? o : { solver: "rlbfgs", retraction: "polar", memory: 8, precondition, ...o };

const quotient = chain(2, ({ div }, s, h) => ({ outputs: [div(s, h)] }));

function makePositive(h: Float64Array): void {
  let largest = 0;
  for (const v of h) largest = Math.max(largest, v);
  const least = LEAST * largest || 1;
  for (let k = 0; k < h.length; k++) if (!(h[k]! > least)) h[k] = least;
}
