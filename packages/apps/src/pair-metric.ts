import type { Precondition, StiefelOptions } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";

/** Least curvature relative to the largest: smaller and negative ones are replaced by it. */
const LEAST = 1e-3;

/**
 * A preconditioner on the orthogonal group, from the curvature along the rotation of each pair of columns: for X·exp(A), A = −Aᵀ,
 *
 *     f(X·exp(A)) ≈ f(X) + ⟨XᵀG, A⟩ + ½ Σ_ij h_ij·A_ij²,     P·G = X·((XᵀG)∘(1/h)).
 *
 * h is symmetric and made positive, so that P is symmetric positive definite. Picard uses it for independent components, qndiag for
 * joint diagonalisation (Ablin, Cardoso, Gramfort 2018, 2019); their Hessians at the solution are diagonal in A.
 */
export function pairMetric(E: Engine, p: number, curvatures: (h: Float64Array, X: Tall) => void): Precondition {
  const h = new Float64Array(p * p);
  const [H, S, W, at] = [E.small(p, p), E.small(p, p), E.small(p, p), E.tall(p, p)];
  const difference = E.tall(p, p);
  let isCurrent = false;
  return (Z, X, G) => {
    if (isCurrent) E.combine(difference, 1, X, -1, at);
    if (!isCurrent || E.dot(difference, difference) > 0) {
      curvatures(h, X);
      makePositive(h);
      E.write(H, h);
      E.copy(at, X);
      isCurrent = true;
    }
    E.tmul(S, X, G);
    E.map([W], quotient, [S, H]);
    E.mul(Z, X, W);
  };
}

/** L-BFGS with this preconditioner, unless the user names a solver: it is nearly exact, and pairs cost little compared with data */
export const inPairMetric = (o: StiefelOptions, precondition: Precondition): StiefelOptions =>
  o.solver ? o : { solver: "rlbfgs", retraction: "polar", memory: 8, precondition, ...o };

const quotient = chain(2, ({ div }, s, h) => ({ outputs: [div(s, h)] }));

function makePositive(h: Float64Array): void {
  let largest = 0;
  for (const v of h) largest = Math.max(largest, v);
  const least = LEAST * largest || 1;
  for (let k = 0; k < h.length; k++) if (!(h[k]! > least)) h[k] = least;
}
