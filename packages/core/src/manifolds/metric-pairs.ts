/** R of B = RᵀR where R is not known: RX is the pair (X, BX), and B⁻¹ is applied by conjugate gradients. */

import type { Engine, Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { weightedEngine } from "@expen/linalg/algebras";
import type { MetricFactor } from "./metric-factor.js";

/** Y ← BX, and X ← B⁻¹Y or nearly so by a symmetric positive definite map */
export interface MetricAction {
  readonly rows: number;
  apply(Y: Tall, X: Tall): void;
  solve?(X: Tall, Y: Tall): void;
}

/** ‖r − B·U‖ of U = B⁻¹r against ‖r‖: with 1e-4 runs take as many evaluations and half as many products again (decision 30) */
const ACCURACY = 1e-2;
/** Products a solve may take, those of a condition of 10⁴: with more, one cannot say that they cost less than what is saved. */
const STEPS = 256;

/**
 * Undefined where conjugate gradients take more than 256 steps. Gradients are exact as B·U = G whatever the accuracy of U is, so that
 * slopes along directions are, and BX is computed anew at every point.
 */
export function pairFactor(
  E: Engine,
  n: number,
  p: number,
  { apply, solve: approximate }: MetricAction,
): MetricFactor | undefined {
  const space = weightedEngine(E, apply);
  const [r, z, d, Bd] = Array.from({ length: 4 }, () => E.tall(n, p)) as [Tall, Tall, Tall, Tall];
  const N = E.small(p, p);

  /** U ← U + B⁻¹r by at most so many steps; whether these were enough */
  function solves(U: Tall, steps: number): boolean {
    let rr = E.dot(r, r);
    const least = ACCURACY ** 2 * rr;
    let before = 0;
    for (let step = 0; rr > least; step++) {
      if (step === steps) return false;
      if (approximate) approximate(z, r);
      else E.copy(z, r);
      const rz = E.dot(r, z);
      if (!(rz > 0)) throw notDefinite(rz);
      E.combine(d, 1, z, step === 0 ? 0 : rz / before, step === 0 ? z : d);
      before = rz;
      apply(Bd, d);
      const curvature = E.dot(d, Bd);
      // of an indefinite B, or at roundoff
      if (!(curvature > 0)) return false;
      const t = rz / curvature;
      E.combine(U, 1, U, t, d);
      E.combine(r, 1, r, -t, Bd);
      rr = E.dot(r, r);
    }
    return true;
  }

  E.write(r, random(1, "solve").normal);
  if (!solves(E.tall(n, p), STEPS)) return undefined;
  return {
    space,
    apply(Z, X) {
      const pair = space.pair(Z);
      E.copy(pair.X, X);
      apply(pair.BX, X);
    },
    applyT: (G, H) => E.copy(G, space.pair(H).BX),
    solve: (X, Z) => E.copy(X, space.pair(Z).X),
    /** G = BX·N + r with N = XᵀG: X·N is exact, and the error of U is relative to r, which tends to 0 at a stationary point. */
    solveT(H, G, Z) {
      const { X: U, BX: V } = space.pair(H);
      E.copy(V, G);
      E.copy(r, G);
      if (Z) {
        const { X, BX } = space.pair(Z);
        E.tmul(N, X, G);
        E.mul(U, X, N);
        E.mul(r, BX, N, -1, 1);
      } else E.fill(U, 0);
      // slopes are right even where these are too few, as V is G whatever U is
      solves(U, 4 * STEPS);
    },
    refresh(Z) {
      const { X, BX } = space.pair(Z);
      apply(BX, X);
    },
  };
}

const notDefinite = (value: number): RangeError =>
  new RangeError(
    `generalizedStiefel: solve(X, Y) is not positive definite: ⟨Y, X⟩ is ${digits(value)} for X ← B⁻¹Y, and must be above 0.`,
  );
