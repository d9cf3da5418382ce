/** The smallest curvature of f along the manifold at X: what Lanczos shows of it, with which probability. */
import type { Constraint } from "../constraints/constraint.js";
import { type Lowest, lanczos } from "../linalg/lanczos.js";
import { digits } from "../numbers.js";
import { forwardHessian, type Hessian } from "../objective/hessian.js";
import { hessianAt } from "../objective/objective.js";
import type { Engine, Objective, Tall } from "../types.js";
import type { Curvature, Escape, Point } from "./types.js";

/** second-order: no curvature below −ASKED·scale was shown */
const ASKED = 0.1;
/** that the random start was unlucky, and the bound false */
const FAILURE = 1e-6;
/** Up to this dimension of the tangent space all curvatures are computed. */
const ALL = 60;
/** A Ritz value within this much of the scale is not called negative; the run leaves X for one beyond ESCAPE only. */
const ZERO = 1e-6;
const ESCAPE = 1e-4;

/**
 * Kuczyński and Woźniakowski (SIAM J. Matrix Anal. Appl. 13, 1992, Theorem 4.2): after k steps from a start that is uniform on the
 * sphere of an N-dimensional space, λmin ≤ ξmin ≤ λmin + ε·(λmax − λmin), and the same at the other end, fail with a probability of at
 * most 1.648√N·exp(−√ε(2k − 1)) each. This is the ε for which both hold with probability 1 − FAILURE.
 */
const deviation = (steps: number, N: number): number => (likelihood(N) / (2 * steps - 1)) ** 2;
const likelihood = (N: number): number => Math.log((2 * 1.648 * Math.sqrt(N)) / FAILURE);

/** The steps that show −ASKED·scale whatever the spectrum: ε·w ≤ ASKED·scale for w ≤ 2·scale/(1 − 2ε) */
export function stepsAsked(N: number): number {
  const epsilon = ASKED / (2 + 2 * ASKED);
  return Math.ceil((likelihood(N) / Math.sqrt(epsilon) + 1) / 2);
}

interface Found {
  readonly curvature: Curvature;
  readonly verdict: "saddle" | "shown" | "open";
  /** in words: what was found */
  readonly text: string;
  readonly escape?: Escape;
}

/** Of ±1 and the like: there is no direction to go */
const ISOLATED: Found = {
  curvature: { lowest: 0, bound: 0, probability: 1, scale: 0, residual: 0, steps: 0, exact: true },
  verdict: "shown",
  text: "feasible points are isolated, there is no direction to go",
};

/**
 * Lanczos on D ↦ P_X(∇²f[D] − D·S), for B ≠ I on A'ᵀ∘(∇²f − B·S)∘A', which has as many negative eigenvalues. The spread
 * w = λmax − λmin of the spectrum is at most (ξmax − ξmin)/(1 − 2ε), so
 * λmin ≥ ξmin − ε·w with probability 1 − FAILURE. A Ritz value is never below λmin: a negative one is a proof.
 */
export function curvatureAt(E: Engine, f: Objective, on: Constraint, point: Point, steps: number, seed: number): Found {
  const { X, S, measures } = point;
  const N = on.dimension;
  if (N === 0) return ISOLATED;
  const { H, exact } = hessian(E, f, on, point);
  const project = on.orthogonal?.(X) ?? ((Z: Tall): void => on.tangent(Z, X));
  const { direction } = on;
  const J = direction && E.tall(f.n, f.p);
  const noise = (scale: number): number =>
    exact ? 1e-10 * scale + 1e-13 * measures.gradient : 1e-6 * (scale + measures.gradient);
  const zeroAt = (scale: number): number => Math.max(ZERO * scale, noise(scale), 4 * measures.stationarity);
  const { lowest, vector } = lanczos(
    E,
    f.n,
    f.p,
    (Y, D) => {
      if (J) direction(J, X, D);
      H(Y, J ?? D);
      on.normal(Y, J ?? D, S, -1);
      if (J) on.tangent(Y, X);
    },
    project,
    {
      steps: Math.max(1, Math.min(steps, N)),
      seed,
      range: N,
      dimension: N <= ALL ? N : undefined,
      enough: ({ value, residual, scale }) => value < -zeroAt(scale) && residual <= 1e-3 * Math.abs(value),
    },
  );
  const zero = zeroAt(lowest.scale);
  const curvature: Curvature = {
    lowest: lowest.value,
    ...lowerBound(lowest, N, noise(lowest.scale)),
    scale: lowest.scale,
    residual: lowest.residual,
    steps: lowest.steps,
    exact,
  };
  if (lowest.value < -zero) {
    const text = `not a minimum: there is a direction of curvature ${digits(lowest.value)} (${how(curvature)})`;
    const leave = lowest.value < -ESCAPE * lowest.scale;
    return { curvature, verdict: "saddle", text, ...(leave && { escape: vector }) };
  }
  const { bound } = curvature;
  if (bound === undefined || !(bound >= -ASKED * lowest.scale)) {
    const shown = bound === undefined ? "show nothing yet of the curvature" : `show ${words(curvature)}`;
    const more = `certificateBudget ${Math.min(stepsAsked(N), N)} would show ${digits(-ASKED)}·scale`;
    return { curvature, verdict: "open", text: `${count(curvature)} ${shown}; ${more}` };
  }
  return { curvature, verdict: "shown", text: `${words(curvature)} (${how(curvature)})` };
}

function lowerBound(
  { value, highest, steps, end }: Lowest,
  N: number,
  noise: number,
): { bound?: number; probability?: number } {
  if (end === "whole") return { bound: value - noise, probability: 1 };
  if (end === "invariant") return { bound: value - noise, probability: 1 - FAILURE };
  const epsilon = deviation(steps, N);
  if (!(epsilon < 0.5)) return {};
  const spread = (highest - value) / (1 - 2 * epsilon);
  const bound = value - epsilon * spread - noise;
  return Number.isFinite(bound) ? { bound, probability: 1 - FAILURE } : {};
}

/** f's own Hessian, or forward differences from ∇f(X) = R + BXS; not that of a declared form, which may not belong to f */
function hessian(E: Engine, f: Objective, on: Constraint, { X, R, S }: Point): { H: Hessian; exact: boolean } {
  const own = hessianAt(f, X);
  if (own) return { H: own, exact: true };
  const G = E.tall(f.n, f.p);
  E.copy(G, R);
  on.normal(G, X, S);
  return { H: forwardHessian(E, f, X, G), exact: false };
}

/** "no curvature below −0.0312·scale (scale 12.3) with probability 1 − 1e-6" */
function words({ bound, scale, probability }: Curvature): string {
  const relative = scale > 0 ? `${digits(bound! / scale)}·scale (scale ${digits(scale)})` : digits(bound!);
  return `no curvature below ${relative}${probability === 1 ? "" : `, with probability 1 − ${FAILURE.toExponential()}`}`;
}

const count = ({ steps }: Curvature): string => `${steps} Lanczos step${steps === 1 ? "" : "s"}`;
const how = (c: Curvature): string =>
  `${c.probability === 1 ? "the whole tangent space by " : ""}${count(c)}${c.exact ? "" : ", by differences"}`;
