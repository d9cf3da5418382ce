import { invertTriangular } from "../../linalg/triangular.js";
import type { Engine, Small, Tall } from "../../types.js";
import { type FirstMatrix, measuredWhenAsked, type Pair, type Trial } from "./first-matrix.js";

export interface MultiplierMetric {
  readonly gamma: number;
  /** symmetric positive definite p×p; absent where the multiplier explains nothing */
  readonly C: Small | undefined;
  /** part of the multiplier in use, 0 … 1 */
  readonly tau: number;
  /** Fits to one pair more. S is the multiplier at its end. */
  learn(pair: Pair): void;
  /** Asks ahead for the sums that `learn` took the last time. */
  foresee(trial: Trial): void;
  /** Back to the identity. */
  forget(): void;
}

/** What a pair weighs against the one after it */
const DECAY = 0.5;
/** A smaller part of the multiplier is not worth a product. */
const LEAST = 0.3;
/** σ is kept above τ·λmax(S) by this part of the spread of τ·S. */
const MARGIN = 0.035;
/** A multiplier whose spread is a smaller part of the curvature ⟨s, y⟩/⟨s, s⟩ leaves σI − τS near a multiple of I, whatever τ is. */
const NARROW = 0.1;

/**
 * The first matrix of a quasi-Newton method from the Lagrangian. The Riemannian Hessian at X with multiplier S = sym(Xᵀ∇f) is
 *
 *     D ↦ P(∇²f[D] − D·S),
 *
 * whose second term is known: p×p numbers that are computed anyway. A number σ stands for what is not known, and the model D(σI − τS)
 * is fitted to the pairs seen so far, y ≈ σs − τsS by least squares. Where ∇²f acts from the left alone (linear and
 * nonlinear eigenvalue problems) τ is near 1 and the spread of the multiplier no longer counts towards the condition; where it
 * does not (BXC), τ falls to 0 and what is left is the usual γ·I. Then
 *
 *     H₀ = γ·(σI − τS)⁻¹ = γ·C from the right,   γ = ⟨s, y⟩/⟨y, y(σI − τS)⁻¹⟩.
 *
 * Adding c/2·‖X‖² to f adds c to S and τc to σ, and changes nothing. [Mishra and Sepulchre, SIAM J. Optim. 26, 2016, take metrics from
 * the Lagrangian in this way.] While the spread of S is below a tenth of the curvature nothing is fitted. `share`: the multiplier is used
 * only where it explains this part, 0 … 1, of what σI alone leaves of the pairs. Holds one n×p matrix; a fit costs 2np² flops, and np²
 * more where the multiplier is used.
 */
export function multiplierMetric(
  E: Engine,
  n: number,
  p: number,
  S: Small,
  { share = 0 }: { share?: number } = {},
): MultiplierMetric {
  const DS = E.tall(n, p);
  const [inverse, A, R, YY] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const I = E.small(p, p);
  E.addDiagonal(I, 1);
  /** ⟨D, DS⟩, ⟨DS, DS⟩, ⟨y, DS⟩ */
  const products = new Float64Array(3);
  /** tr S and ‖S‖² */
  const moments = new Float64Array(2);
  /** normal equations of the fit, each pair divided by ⟨y, y⟩ */
  const sums = { ss: 0, sS: 0, SS: 0, sy: 0, Sy: 0, yy: 0 };
  const gamma = measuredWhenAsked(1);
  let tau = 0;
  let C: Small | undefined;
  /** the last pair had nothing to fit */
  let narrow = false;
  /** the trial that was foreseen */
  let foreseen: Pick<Pair, "t" | "D"> | undefined;

  /** ⟨D, DS⟩, ⟨DS, DS⟩, ⟨y, DS⟩; returns ⟨y, y⟩ */
  function sumsOf(D: Tall, y: Tall): number {
    E.dots(products, [D, DS, y], 3, DS);
    return E.dot(y, y);
  }

  /** τ of the least-squares fit, cut to [0, 1], and 0 where it is small or explains too little */
  function weight(): number {
    const { ss, sS, SS, sy, Sy, yy } = sums;
    const determinant = ss * SS - sS * sS;
    if (!(determinant > 1e-12 * ss * SS)) return 0;
    const tau = (ss * Sy - sS * sy) / determinant;
    // the squares of what is left with σ alone, and of what τ takes away from it
    const left = yy - (sy * sy) / ss;
    const explained = (tau * tau * determinant) / ss;
    return tau >= LEAST && explained >= share * left ? Math.min(1, tau) : 0;
  }

  /** of the eigenvalues of S: their standard deviation */
  function spreadOfS(): number {
    E.dots(moments, [I, S], 2, S);
    const [mean, square] = [moments[0]! / p, moments[1]! / p];
    return Math.sqrt(Math.max(0, square - mean * mean));
  }

  /** The inverse of σI − τS, σ raised until the matrix is positive definite with a margin; false where S has no finite spread */
  function invert(sigma: number, spread: number): boolean {
    const margin = MARGIN * tau * spread;
    sigma -= margin;
    for (let raise = margin; !definite(sigma); raise *= 2) {
      if (!(raise > 0 && raise < 100 * spread)) return false;
      sigma += raise;
    }
    if (!definite(sigma + margin)) return false;
    invertTriangular(E, A, R);
    E.mulT(inverse, A, A);
    return true;
  }

  /** R ← the Cholesky factor of σI − τS; false where there is none */
  function definite(sigma: number): boolean {
    E.combine(A, -tau, S, 0, S);
    E.addDiagonal(A, sigma);
    return E.factor.cholesky(R, A);
  }

  return {
    get gamma() {
      return gamma.value();
    },
    get C() {
      return C;
    },
    get tau() {
      return tau;
    },

    foresee({ t, D, change }) {
      const y = change();
      foreseen = { t, D };
      if (narrow) return void E.dot(y, y);
      E.mul(DS, D, S);
      sumsOf(D, y);
      if (C) E.gram(YY, y);
    },

    learn({ t, D, y, dd, dy }) {
      const known = foreseen?.D === D && foreseen.t === t;
      foreseen = undefined;
      const multiplied = known && !narrow;
      const spread = spreadOfS();
      narrow = spread * t * dd < NARROW * dy;
      if (narrow) {
        gamma.is(() => (t * dy) / E.dot(y, y));
        // it has come with the last message, and would take another one later
        if (known) gamma.value();
        [tau, C] = [0, undefined];
        return;
      }
      if (!multiplied) E.mul(DS, D, S);
      const yy = sumsOf(D, y);
      const [ds, dss, yds] = products as unknown as [number, number, number];
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] *= DECAY;
      sums.ss += (t * t * dd) / yy;
      sums.sS -= (t * t * ds) / yy;
      sums.SS += (t * t * dss) / yy;
      sums.sy += (t * dy) / yy;
      sums.Sy -= (t * yds) / yy;
      sums.yy += 1;

      tau = weight();
      gamma.is(() => (t * dy) / yy);
      C = undefined;
      if (tau === 0 || !invert((dy / t + tau * ds) / dd, spread)) return;
      C = inverse;
      E.gram(YY, y);
      gamma.is(() => (t * dy) / E.dot(YY, inverse));
    },

    forget() {
      gamma.is(() => 1);
      [tau, C] = [0, undefined];
      Object.assign(sums, { ss: 0, sS: 0, SS: 0, sy: 0, Sy: 0, yy: 0 });
    },
  };
}

/** It is fitted in each of the first steps, where the multiplier changes much, and every `period` steps later. */
const FIRST = 8;

/** The multiplier metric as the first matrix of limited-memory BFGS, fitted when it is worth its products. */
export function multiplierFirstMatrix(E: Engine, n: number, p: number, S: Small, period = 3): FirstMatrix {
  const metric = multiplierMetric(E, n, p, S);
  let steps = 0;
  let scaled = false;
  const due = (): boolean => steps < FIRST || steps % period === 0;
  return {
    get scaled() {
      return scaled;
    },
    get multiple() {
      return metric.C ? undefined : () => metric.gamma;
    },
    apply(R, _X, Q) {
      const { gamma, C } = metric;
      if (C) E.mul(R, Q, C, gamma);
      else E.combine(R, gamma, Q, 0, Q);
    },
    learn(_X, pair) {
      if (!pair) return;
      if (pair.dy > 0 && due()) {
        metric.learn(pair);
        scaled = true;
      }
      steps++;
    },
    foresee(trial) {
      if (due()) metric.foresee(trial);
    },
    forget() {
      const before = scaled;
      metric.forget();
      scaled = false;
      return before;
    },
  };
}
