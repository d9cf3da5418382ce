import type { Engine, Small, Tall } from "@expen/linalg";
import { invertTriangular } from "@expen/linalg/dense";
import type { FirstMatrix, Pair, Trial } from "./first-matrix.js";
import { type LazyNumber, lazyNumber } from "./lazy-number.js";
import { multiplierFit } from "./multiplier.js";

export interface MultiplierMetric {
  readonly gamma: LazyNumber;
  /** symmetric positive definite p×p; absent where the multiplier explains nothing */
  readonly C: Small | undefined;
  /** part of the multiplier in use, 0 … 1 */
  readonly tau: number;
  /** Fits to one pair more. S is the multiplier at its end. */
  learn(pair: Pair): void;
  /** Requests the inner products of `learn` at a trial point. */
  prepare(trial: Trial<Tall>): void;
  /** Back to the identity. */
  forget(): void;
}

/** Standard deviation of the multiplier, against the curvature ⟨s, y⟩/⟨s, s⟩, below which σI − τS is near a multiple of I for every τ */
const NARROW = 0.1;

/**
 * The model σI − τS of the Lagrangian's Hessian (multiplier.ts), inverted by Cholesky's factorization:
 *
 *     H₀ = γ·(σI − τS)⁻¹ = γ·C from the right,   γ = ⟨s, y⟩/⟨y, y(σI − τS)⁻¹⟩.
 *
 * With τ = 0, and while the spread of S is below a tenth of the curvature, H₀ = γI. Holds one n×p matrix; a fit costs 2np² flops, and np²
 * more where the multiplier is used.
 */
export function multiplierMetric(E: Engine, n: number, p: number, S: Small): MultiplierMetric {
  const DS = E.tall(n, p);
  const [inverse, A, R, YY] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const I = E.small(p, p);
  E.addDiagonal(I, 1);
  /** ⟨D, DS⟩, ⟨DS, DS⟩, ⟨y, DS⟩, ⟨y, y⟩ */
  const sums = E.sums(4);
  const products = sums.at;
  /** tr S and ‖S‖² */
  const moments = new Float64Array(2);
  const model = multiplierFit();
  const gamma = lazyNumber(1);
  let tau = 0;
  let C: Small | undefined;
  /** S had no spread at the last pair */
  let isNarrow = false;
  /** the trial whose products are requested; with YᵀY if the multiplier was in use */
  let prepared: (Pick<Pair, "t" | "D"> & { withGram: boolean }) | undefined;

  function requestProducts(D: Tall, y: Tall): void {
    E.mul(DS, D, S);
    sums.dots(0, [D, DS, y], 3, DS);
    sums.dot(3, y, y);
  }

  /** The standard deviation of the eigenvalues of S */
  function deviationOfS(): number {
    E.dots(moments, [I, S], 2, S);
    const [mean, square] = [moments[0]! / p, moments[1]! / p];
    return Math.sqrt(Math.max(0, square - mean * mean));
  }

  /** R ← the Cholesky factor of σI − τS; false where there is none */
  function isDefinite(sigma: number): boolean {
    E.combine(A, -tau, S, 0, S);
    E.addDiagonal(A, sigma);
    return E.factor.cholesky(R, A);
  }

  /** inverse ← (σI − τS)⁻¹ with σ raised as far as it must be; false where no σ is found */
  function invert(least: number, deviation: number): boolean {
    const sigma = model.raised(least, deviation, isDefinite);
    if (sigma === undefined || !isDefinite(sigma)) return false;
    invertTriangular(E, A, R);
    E.mulT(inverse, A, A);
    return true;
  }

  return {
    gamma,
    get C() {
      return C;
    },
    get tau() {
      return tau;
    },

    prepare({ t, D, change }) {
      if (isNarrow) return;
      const y = change();
      requestProducts(D, y);
      if (C) E.gram(YY, y);
      prepared = { t, D, withGram: C !== undefined };
    },

    learn({ t, D, y, dd, dy }) {
      const ahead = prepared?.D === D && prepared.t === t ? prepared : undefined;
      prepared = undefined;
      const deviation = deviationOfS();
      isNarrow = deviation * t * dd < NARROW * dy;
      C = undefined;
      if (isNarrow) {
        tau = 0;
        gamma.set((yy = E.dot(y, y)) => (t * dy) / yy);
        return;
      }
      if (!ahead) requestProducts(D, y);
      sums.arrive();
      const yy = products[3]!;
      tau = model.add(t * t * dd, t * t * products[0]!, t * t * products[1]!, t * dy, t * products[2]!, yy);
      gamma.set((t * dy) / yy);
      if (tau === 0 || !invert((dy / t + tau * products[0]!) / dd, deviation)) return;
      C = inverse;
      if (!ahead?.withGram) E.gram(YY, y);
      gamma.set(() => (t * dy) / E.dot(YY, inverse));
    },

    forget() {
      gamma.set(1);
      [tau, C] = [0, undefined];
      model.clear();
    },
  };
}

/** Steps from the start at which it is fitted every time: the multiplier changes much there. */
const FIRST = 8;

/** The multiplier's metric as a first matrix, fitted in the first steps and at every `period`-th step later. */
export function multiplierFirstMatrix(E: Engine, n: number, p: number, S: Small, period = 3): FirstMatrix {
  const metric = multiplierMetric(E, n, p, S);
  let steps = 0;
  let isScaled = false;
  const isDue = (): boolean => steps < FIRST || steps % period === 0;
  return {
    get scaled() {
      return isScaled;
    },
    get multiple() {
      return metric.C ? undefined : metric.gamma;
    },
    apply(R, _X, Q) {
      const { C } = metric;
      if (C) E.mul(R, Q, C, metric.gamma.value());
      else E.combine(R, metric.gamma.value(), Q, 0, Q);
    },
    learn(_X, pair) {
      if (!pair) return;
      if (pair.dy > 0 && isDue()) {
        metric.learn(pair);
        isScaled = true;
      }
      steps++;
    },
    ...(E.ranks && {
      prepare(trial: Trial<Tall>): void {
        if (isDue()) metric.prepare(trial);
      },
    }),
    forget() {
      const before = isScaled;
      metric.forget();
      isScaled = false;
      return before;
    },
  };
}
