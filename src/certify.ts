import { hessianOf } from "./hessian.js";
import { lanczos } from "./linalg/lanczos.js";
import { extremeEigenvalues } from "./linalg/symmetric-eigenvalues.js";
import { type Measurer, type Measures, measurer } from "./measure.js";
import { digits } from "./numbers.js";
import type { Engine, Matrix, Nonsmooth, Objective } from "./types.js";

export type CertificateLevel = "none" | "stationary" | "second-order" | "global";

export interface Certificate {
  /** the strongest statement that is shown */
  readonly level: CertificateLevel;
  /** what is shown and by what, in words */
  readonly text: string;
  /** extreme eigenvalues of the multiplier S = sym(Xᵀ∇f) */
  readonly multiplier: { readonly lowest: number; readonly highest: number };
  /** whether β was large enough: the smallest normal eigenvalue 2β − 1.5(λ_i + λ_j) of the Hessian of plain ExPen (Theorem 3.6) */
  readonly penalty?: {
    readonly beta: number;
    readonly needed: number;
    readonly normalCurvature: number;
    readonly enough: boolean;
  };
  /** Lemma 3.11: what ‖∇h‖ at the unprojected point guarantees for its projection, where β is at least the theory's β̄ */
  readonly bound?: { readonly stationarity: number; readonly feasibility: number };
  /** smallest eigenvalue of the Riemannian Hessian by Lanczos */
  readonly curvature?: {
    readonly lowest: number;
    readonly residual: number;
    readonly steps: number;
    readonly exact: boolean;
  };
  /** f(X) − min f is at most this, where it can be proved */
  readonly gapBound?: number;
}

export interface CertifyOptions {
  /** stationarity up to this counts as stationary */
  tolerance: number;
  /** the known minimum */
  optimum?: number | undefined;
  /** look at second order (needs Hessian-vector products, exact or by differences) */
  secondOrder?: boolean;
  lanczosSteps?: number;
  /** β of plain ExPen, ‖∇h‖ and ‖XᵀX − I‖ where the run ended, before the projection */
  beta?: number | undefined;
  penaltyGradient?: number | undefined;
  seed?: number;
  /** to measure with, where the caller has one */
  measurer?: Measurer;
  /** what that measurer found at X, if it was there last */
  measures?: Measures;
  /** a term beside f: then only the first-order condition of the two is looked at */
  nonsmooth?: Nonsmooth | undefined;
}

/** A direction of negative curvature at X, to leave a saddle along it. */
export type Escape = (V: Matrix) => void;

/**
 * What is known about X, from f and X alone. With S = sym(Xᵀ∇f), R = ∇f − XS and λ the eigenvalues of S:
 *
 * - feasible and stationary: ‖XᵀX − I‖, ‖R‖;
 * - second order: the smallest eigenvalue of D ↦ P_X(∇²f[D] − D·S) on the tangent space is not negative;
 * - global, for convex f: Z ↦ f(Z) − ½⟨S₋, ZᵀZ − I⟩ is convex and equals f on the manifold, hence
 *       f(X) − f* ≤ 2√p·‖R‖ + 2·tr S₊,
 *   which is a proof where S ⪯ 0;
 * - global, for f = ½⟨X, BX⟩ + ⟨L, X⟩: Z ↦ f(Z) − ½⟨S, ZᵀZ − I⟩ is convex if λmin(B) ≥ λmax(S), then f(X) − f* ≤ 2√p·‖R‖;
 *   and for L = 0 it suffices that B has no eigenvalue below λmax(S) on the complement of X (Ky Fan);
 * - global, by a closed form of the minimum.
 */
export function certify(
  E: Engine,
  f: Objective,
  X: Matrix,
  {
    tolerance,
    optimum,
    secondOrder = true,
    lanczosSteps = 60,
    beta,
    penaltyGradient,
    seed = 1,
    nonsmooth,
    measurer: { measure, S } = measurer(E, f, nonsmooth),
    measures: known,
  }: CertifyOptions,
): { measures: Measures; certificate: Certificate; escape?: Escape } {
  const { n, p } = f;
  const measures = known ?? measure(X);
  const { fval, feasibility, stationarity } = measures;
  if (!Number.isFinite(fval + stationarity)) {
    const text = `f or its gradient is not finite at X (f = ${fval})`;
    return { measures, certificate: { level: "none", text, multiplier: { lowest: Number.NaN, highest: Number.NaN } } };
  }
  const { smallest, largest } = extremeEigenvalues(S, 1, 1);
  const multiplier = { lowest: smallest[0]!, highest: largest[0]! };
  const extra = {
    multiplier,
    ...(beta !== undefined && {
      penalty: {
        beta,
        needed: 1.5 * multiplier.highest,
        normalCurvature: 2 * beta - 3 * multiplier.highest,
        enough: 2 * beta > 3 * multiplier.highest,
      },
      ...(penaltyGradient !== undefined && {
        bound: { stationarity: 2 * penaltyGradient, feasibility: (4 * penaltyGradient) / beta },
      }),
    }),
  };
  const feasible = feasibility <= 1e-10 * Math.sqrt(p);
  if (!feasible || !(stationarity <= tolerance)) {
    const text = feasible
      ? `X is feasible but not stationary: Riemannian gradient ${digits(stationarity)} > ${digits(tolerance)}`
      : `X is not feasible: ‖XᵀX − I‖ = ${digits(feasibility)}`;
    return { measures, certificate: { level: "none", text, ...extra } };
  }

  if (nonsmooth) {
    const text = `stationary: proximal step in the tangent space ${digits(stationarity)}, ‖XᵀX − I‖ = ${digits(feasibility)}`;
    return { measures, certificate: { level: "stationary", text, ...extra } };
  }
  const stationaryText = `stationary: Riemannian gradient ${digits(stationarity)}, ‖XᵀX − I‖ = ${digits(feasibility)}`;
  const proof = globalProof();
  if (proof) {
    const certificate = {
      level: "global" as const,
      text: `global minimum: ${proof.text}; ${stationaryText}`,
      ...extra,
    };
    return {
      measures,
      certificate: { ...certificate, ...(proof.gapBound !== undefined && { gapBound: proof.gapBound }) },
    };
  }
  if (!secondOrder) return { measures, certificate: { level: "stationary", text: stationaryText, ...extra } };

  const hessian = hessianOf(E, f);
  const H = hessian.at(X);
  const M = E.matrix(p, p);
  const project = (Z: Matrix): void => {
    E.tmul(M, X, Z);
    E.symmetrize(M);
    E.mul(Z, X, M, -1, 1);
  };
  const { lowest, vector } = lanczos(
    E,
    n,
    p,
    (Y, D) => {
      H(Y, D);
      E.mul(Y, D, S, -1, 1);
    },
    project,
    { steps: lanczosSteps, seed },
  );
  const curvature = { lowest: lowest.value, residual: lowest.residual, steps: lowest.steps, exact: hessian.exact };
  const noise = (hessian.exact ? 1e-10 : 1e-6) * lowest.scale;
  const how = `smallest Ritz value ${digits(lowest.value)} ± ${digits(lowest.residual)} of the Riemannian Hessian, whose scale is ${digits(lowest.scale)} (${lowest.steps} Lanczos steps${hessian.exact ? "" : ", by differences"})`;
  if (lowest.value >= -Math.max(noise, 1e-6 * lowest.scale)) {
    return {
      measures,
      certificate: {
        level: "second-order",
        text: `second-order point, no negative curvature found: ${how}; ${stationaryText}`,
        ...extra,
        curvature,
      },
    };
  }
  const certificate = {
    level: "stationary" as const,
    text: `${stationaryText}; not a minimum: ${how}`,
    ...extra,
    curvature,
  };
  return { measures, certificate, ...(lowest.value < -1e-4 * lowest.scale && { escape: vector }) };

  function globalProof(): { text: string; gapBound?: number } | undefined {
    const slack = 2 * Math.sqrt(p) * stationarity;
    if (optimum !== undefined) {
      const gap = fval - optimum;
      const allowed = Math.max(1e-4 * Math.abs(optimum), 1e-2 * slack);
      if (gap <= allowed) return { text: `f − f* = ${digits(gap)} to the closed form`, gapBound: Math.max(gap, 0) };
      return undefined;
    }
    if (f.convex) {
      // at least the sum of the positive eigenvalues of S
      const positive = p * Math.max(0, multiplier.highest);
      if (positive <= 1e-12 * Math.abs(multiplier.lowest)) {
        return {
          text: `f is convex and the multiplier S ⪯ 0, so f − f* ≤ ${digits(slack + 2 * positive)}`,
          gapBound: slack + 2 * positive,
        };
      }
    }
    const { quadratic } = f;
    if (!quadratic || quadratic.C || !secondOrder) return undefined;
    // λmin of B on one column at a time: an n×1 operator
    const Xt = E.matrix(p, 1);
    const whole = quadratic.L !== undefined;
    const complement = (z: Matrix): void => {
      if (whole) return;
      E.tmul(Xt, X, z);
      E.mul(z, X, Xt, -1, 1);
    };
    if (!whole && n === p) return { text: "f is constant on square orthogonal matrices", gapBound: slack };
    const { lowest } = lanczos(E, n, 1, quadratic.apply, complement, { steps: 2 * lanczosSteps, seed });
    const margin = lowest.residual + 1e-9 * lowest.scale;
    if (!(lowest.value >= multiplier.highest - margin)) return undefined;
    return whole
      ? {
          text: `λmin(B) = ${digits(lowest.value)} ≥ λmax(S) = ${digits(multiplier.highest)}, so f − f* ≤ ${digits(slack)}`,
          gapBound: slack,
        }
      : {
          text: `X spans the lowest eigenvectors of B: no eigenvalue of B off X is below ${digits(lowest.value)} ≥ λmax(S) = ${digits(multiplier.highest)}`,
        };
  }
}
